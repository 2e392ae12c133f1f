$ echo hello
stdout: hello
