"""The files of Web/ are embedded and small, and request nothing from other servers."""

import gzip
import re

from tracer_process import REPOSITORY

WEB = REPOSITORY / "Web"
TABLE = (REPOSITORY / "Sources/CWebAssets/assets.c").read_text()
FILES = sorted(path for path in WEB.rglob("*") if path.is_file())
LARGEST = 60_000


def names():
    return [path.relative_to(WEB).as_posix() for path in FILES]


def test_each_file_is_embedded_and_listed_once():
    assert names(), "Web/ should not be empty"
    assert re.findall(r'#embed "\.\./\.\./Web/([^"]+)"', TABLE) == names()
    assert re.findall(r'^    \{"/([^"]+)", ', TABLE, re.MULTILINE) == names()


def test_each_row_has_the_bytes_and_the_type_of_its_file():
    rows = re.findall(r'^    \{"/([^"]+)", (\w+), (\w+), sizeof (\w+)\},$', TABLE, re.MULTILINE)
    assert len(rows) == len(FILES)
    kinds = {"html": "HTML", "css": "CSS", "js": "JAVASCRIPT"}
    for name, kind, bytes_of, size_of in rows:
        assert bytes_of == size_of == re.sub(r"\W", "_", name)
        assert kind == kinds[name.rsplit(".")[-1]]
    for symbol, name in re.findall(r'unsigned char (\w+)\[\] = \{\n#embed "\.\./\.\./Web/([^"]+)"', TABLE):
        assert symbol == re.sub(r"\W", "_", name)


def test_compressed_files_are_within_the_size_limit():
    # The limit applies to the compressed size, so that comments and spaces cost little.
    assert len(gzip.compress(b"".join(path.read_bytes() for path in FILES))) <= LARGEST


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
