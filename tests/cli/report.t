# report on files that are not results, and on one that is.
$ retstack report
! retstack report: report needs a file
!~ Try `retstack report --help' .*
!...
? 2

$ retstack report missing.json
! retstack: cannot read missing.json: No such file or directory
? 2

$ printf '{"schema": 1, "results": [' >cut.json; retstack report cut.json -o page.html; echo $?; ls page.html
!~ retstack: cut.json line 1: .*; is the file cut off\?
! ls: cannot access 'page.html': No such file or directory
> 2
? 2

$ retstack report x -o ''
! retstack report: --output is given an empty text
!~ Try `retstack report --help' .*
!...
? 2

$ echo '5,,cycles,1,100.00,,' >perf.csv; retstack report perf.csv -o nowhere/page.html
!~ retstack: cannot create 'nowhere/page.html': .*
? 2

$ retstack report perf.csv >/dev/full
!~ retstack: cannot write standard output: .*
? 3

$ retstack report perf.csv -o page.html; tail -n 1 page.html
> </html>
