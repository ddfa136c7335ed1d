#!/usr/bin/env bash
# Checks heaplens.app: its property list, file types as on Linux, program, icon and notices; on macOS also the signature, and
# that the program starts. Exit status 0 if all checks passed.
#
#   tests/platforms/bundle.sh --app heaplens.app
#
# Needs python3.
set -euo pipefail

[[ $# == 2 && $1 == --app && -d $2 ]] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
app=$2
python3 - "$app/Contents" "$(dirname "$0")/../.." <<'END'
import os, pathlib, plistlib, re, struct, sys
contents, top = map(pathlib.Path, sys.argv[1:])
plist = plistlib.loads((contents / "Info.plist").read_bytes())
read = lambda path: (top / path).read_text()

version = re.search(r'^version = "(.*)"', read("Cargo.toml"), re.M)[1]
assert plist["CFBundleShortVersionString"] == plist["CFBundleVersion"] == version, "version"
assert f'<id>{plist["CFBundleIdentifier"]}</id>' in read("assets/desktop/app.heaplens.heaplens.metainfo.xml"), "identifier"
minimum = plist["LSMinimumSystemVersion"]
assert f"MACOSX_DEPLOYMENT_TARGET={minimum}\n" in read("assets/compile.sh"), "oldest macOS"
assert plist["NSHighResolutionCapable"] is True

# Types: as on Linux, each declared once and opened.
declared = plist["UTExportedTypeDeclarations"] + plist["UTImportedTypeDeclarations"]
tags = lambda kind: [tag for entry in declared for tag in entry["UTTypeTagSpecification"][kind]]
mime = read("assets/desktop/heaplens-mime.xml")
extensions = re.findall(r'<glob pattern="\*\.([a-z-]+)"', mime)
assert sorted(tags("public.filename-extension")) == sorted(extensions), "extensions"
types = {name for name in re.findall(r'<mime-type type="(.*)">', mime) if not re.search("gzip|text", name)}
assert set(tags("public.mime-type")) == types, "MIME types"
opened = [name for entry in plist["CFBundleDocumentTypes"] for name in entry["LSItemContentTypes"]]
assert len(opened) == len(set(opened)), "a type twice"
names = {entry["UTTypeIdentifier"] for entry in declared}
assert names == {name for name in opened if name.startswith("app.heaplens.")}, "types declared and opened"
schemes = [scheme for entry in plist["CFBundleURLTypes"] for scheme in entry["CFBundleURLSchemes"]]
assert [f"x-scheme-handler/{scheme}" for scheme in schemes] == re.findall(r"x-scheme-handler/\w+", read("assets/desktop/heaplens.desktop"))

program = contents / "MacOS" / plist["CFBundleExecutable"]
head = program.read_bytes()[:4096]
kinds = {0x0100000C: "arm64", 0x01000007: "x86_64"}
if head[:4] == b"\xca\xfe\xba\xbe":
    count, = struct.unpack(">I", head[4:8])
    architectures = [kinds[struct.unpack(">I", head[8 + 20 * n:12 + 20 * n])[0]] for n in range(count)]
else:
    assert head[:4] == b"\xcf\xfa\xed\xfe", "no macOS program"
    architectures = [kinds[struct.unpack("<I", head[4:8])[0]]]
assert os.access(program, os.X_OK), "not executable"
icon = (contents / "Resources" / f'{plist["CFBundleIconFile"]}.icns').read_bytes()
assert icon[:4] == b"icns" and struct.unpack(">I", icon[4:8])[0] == len(icon), "icon"
for name in ["licence.txt", "third-party.txt"]:
    assert (contents / "Resources" / name).stat().st_size > 1000, name
print(f"heaplens {version} for macOS {minimum}, {', '.join(architectures)}; {len(extensions)} extensions, {len(names)} types")
END
if [[ $(uname -s) == Darwin ]]; then
    plutil -lint "$app/Contents/Info.plist"
    codesign --verify --strict "$app"
    "$app/Contents/MacOS/heaplens" version
fi
