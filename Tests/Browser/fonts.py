"""The fonts that the browsers of the tests may use, independent of the machine's fonts.

Text in DejaVu Sans is about a seventh wider than in Liberation Sans, which has the widths of Arial. Many Linux
machines have only DejaVu Sans.
"""

from pathlib import Path

FAMILIES = {
    "DejaVu Sans": ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    "Liberation Sans": ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf", "LiberationMono-Regular.ttf",
                        "LiberationMono-Bold.ttf"),
}
FOLDERS = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts"]
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
</fontconfig>
"""


def font_configuration(family, folder):
    """Writes a fontconfig configuration with only the fonts of one family; returns the path of its file."""
    fonts = folder / "fonts"
    fonts.mkdir(parents=True)
    for name in FAMILIES[family]:
        (fonts / name).symlink_to(_find(name))
    file = folder / "fonts.conf"
    file.write_text(CONFIGURATION.format(fonts=fonts, cache=folder / "cache"))
    return file


def _find(name):
    for folder in FOLDERS:
        for path in folder.rglob(name):
            return path
    raise FileNotFoundError(
        f"There is no font file {name} below {', '.join(map(str, FOLDERS))}. Install fonts-dejavu-core and "
        "fonts-liberation (Debian's names).")
