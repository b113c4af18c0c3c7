"""The files of Web/ are embedded and small, and request nothing from other servers."""

import gzip
import re

from tracer_process import REPOSITORY

WEB = REPOSITORY / "Web"
TABLE = (REPOSITORY / "Sources/CWebAssets/assets.c").read_text()
FILES = sorted(path for path in WEB.rglob("*") if path.is_file())
PARTS = sorted((WEB / "style").iterdir())
LARGEST = 60_000


def served():
    """The names of the files as the browser requests them: the parts of the style sheet are one."""
    return sorted([path.relative_to(WEB).as_posix() for path in FILES if path not in PARTS] + ["style.css"])


def without_comments(path):
    """The text of a file without comments, empty lines and indentation."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//")).encode()


def test_each_file_is_embedded_and_listed_once():
    assert PARTS, "Web/style/ should not be empty"
    embedded = re.findall(r'#embed "\.\./\.\./Web/([^"]+)"', TABLE)
    assert sorted(embedded) == [path.relative_to(WEB).as_posix() for path in FILES]
    assert re.findall(r'^    \{"/([^"]+)", ', TABLE, re.MULTILINE) == served()


def test_each_row_has_the_bytes_and_the_type_of_its_file():
    rows = re.findall(r'^    \{"/([^"]+)", (\w+), (\w+), sizeof (\w+)\},$', TABLE, re.MULTILINE)
    assert len(rows) == len(served())
    kinds = {"html": "HTML", "css": "CSS", "js": "JAVASCRIPT"}
    for name, kind, bytes_of, size_of in rows:
        assert bytes_of == size_of == re.sub(r"\W", "_", name)
        assert kind == kinds[name.rsplit(".")[-1]]
    for symbol, body in re.findall(r"unsigned char (\w+)\[\] = \{\n(.*?)\};", TABLE, re.DOTALL):
        names = re.findall(r'#embed "\.\./\.\./Web/([^"]+)"', body)
        parts = [path.relative_to(WEB).as_posix() for path in PARTS]
        if symbol == "style_css":
            assert sorted(names) == parts
        else:
            assert [symbol] == [re.sub(r"\W", "_", name) for name in names]


def test_compressed_files_are_within_the_size_limit():
    # Comments and indentation do not count, so that nobody saves on them.
    assert len(gzip.compress(b"\n".join(without_comments(path) for path in FILES))) <= LARGEST


def test_each_module_is_imported():
    sources = {path.name: path.read_text() for path in FILES if path.suffix == ".js"}
    imported = {name for text in sources.values() for name in re.findall(r"from '\./([^']+)'", text)}
    assert imported | {"app.js"} == set(sources)


def test_files_request_nothing_from_other_servers():
    for path in FILES:
        outside = re.sub(r"http://www\.w3\.org/\S+", "", path.read_text())
        assert not re.search(r"https?://|@import|url\(", outside), path.name


def test_html_is_never_made_of_strings():
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|ContextualFragment|srcdoc|eval\("
    for path in FILES:
        assert not re.search(forbidden, path.read_text()), path.name


def test_no_script_and_no_style_is_inline():
    html = (WEB / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)
    assert re.findall(r"<script[^>]*>(.*?)</script>", html, re.DOTALL) == [""]
    assert '<link rel="icon" href="data:,">' in html


def test_scheme_changes_only_colours():
    # `light-dark()` is always a colour. Therefore, the other tests need not run with each scheme.
    for path in FILES:
        assert not re.search(r"prefers-color-scheme|matchMedia", path.read_text()), path.name
    assert "light-dark(" in (WEB / "style/colours.css").read_text()
