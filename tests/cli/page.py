"""Reads a page of `retstack report` as a browser would: strictly."""

import html.parser

VOID = {"meta", "link", "line", "circle", "rect", "br"}
ADDRESSES = {"src", "href", "data", "action", "xlink:href", "srcset"}


class Page(html.parser.HTMLParser):
    """Collects faults, tables (rows of cell texts) and pictures' titles."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.faults, self.tables, self.pictures = [], [], []
        self.open, self.tags, self.ids, self.links = [], set(), set(), set()
        self.cell = None
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is never closed" for tag in self.open]
        self.faults += [f"#{name} leads nowhere" for name in self.links - self.ids]

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.check_addresses(attrs)
        if tag == "script" or any(name.startswith("on") for name, _ in attrs):
            self.faults.append(f"<{tag}> runs a script")
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell = []
        elif tag == "svg":
            self.pictures.append({"attrs": dict(attrs), "title": "", "desc": ""})

    def handle_startendtag(self, tag, attrs):
        self.check_addresses(attrs)
        if tag not in VOID:
            self.faults.append(f"<{tag}/> closes itself")

    def check_addresses(self, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.add(value)
            elif name in ADDRESSES and value.startswith("#"):
                self.links.add(value[1:])
            elif name in ADDRESSES and value != "data:,":
                self.faults.append(f"{name}={value} reaches outside the page")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")
        if tag in ("td", "th"):
            self.tables[-1][-1].append("".join(self.cell).strip())
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)
        if self.open[-2:-1] == ["svg"] and self.open[-1] in ("title", "desc"):
            self.pictures[-1][self.open[-1]] += data


def faults_of(text):
    """What is wrong with the page, as sentences."""
    page = Page(text)
    faults = list(page.faults)
    for picture in page.pictures:
        if picture["attrs"].get("role") != "img" or not picture["title"] \
                or not picture["desc"]:
            faults.append("a picture has no text alternative")
    for wanted in ("html", "title", "main", "h1"):
        if wanted not in page.tags:
            faults.append(f"there is no <{wanted}>")
    return faults
