"""Strings no one should have to read stay inside their quotes: every export of the sample
passports, hostile ones among them, is still of its form.

    hostile.py WRITE_SAMPLE SONDE
"""
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

here = pathlib.Path(__file__).parent
writer, sonde = sys.argv[1], sys.argv[2]
scratch = pathlib.Path(tempfile.mkdtemp())
faults = []


def export(kind, passport):
    done = subprocess.run([sonde, "export", "--to", kind, passport], capture_output=True)
    if done.returncode not in (0, 1):
        faults.append(f"{kind}: exit {done.returncode}: {done.stderr[-300:]}")
    return done.stdout.decode("utf-8", "strict") if done.returncode == 0 else None


def check_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    assert rows and {len(row) for row in rows} == {len(rows[0])}, "ragged rows"


def check_env(text):
    for line in text.splitlines():
        assert re.fullmatch(r"#[ -~]*|[A-Z0-9_]+=[a-z0-9.]+", line), line


def check_cmake(text):
    for line in text.splitlines():
        assert re.fullmatch(r'#[ -~]*|set\(SONDE_[A-Z0-9_]+ "[a-z0-9.]+"\)', line), line


def check_header(text):
    (scratch / "a.c").write_text(text + "\nint main(void) { return 0; }\n")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
                    scratch / "a.c"], check=True)


def check_gcc(text):
    for word in text.split():
        assert re.fullmatch(r"--param=[a-z0-9-]+=\d+|-DSONDE_GCC_\w+", word), word


def check_glibc(text):
    for line in text.splitlines():
        assert re.fullmatch(r"#[ -~]*|GLIBC_TUNABLES=[a-z0-9_.:=]+", line), line


def check_xml(text):
    xml.etree.ElementTree.fromstring(text)


def check_openmetrics(text):
    (scratch / "a.prom").write_text(text)
    subprocess.run([sys.executable, here / "openmetrics.py", scratch / "a.prom"], check=True)


def check_markdown(text):
    assert not re.search(r"<(?!/?$)[a-zA-Z/!]", text), "a tag"
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text), "a control character"
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        bars = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(bars) == 1, f"ragged table: {bars}\n{block}"


def check_yaml(text):
    try:
        import yaml
    except ImportError:
        return
    yaml.safe_load(text)


checks = {"csv": check_csv, "csv-series": check_csv, "env": check_env, "cmake": check_cmake,
          "c-header": check_header, "gcc": check_gcc, "glibc": check_glibc,
          "hwloc-xml": check_xml, "openmetrics": check_openmetrics,
          "markdown": check_markdown, "kerncraft": check_yaml}
passport = scratch / "all.json"
passport.write_bytes(subprocess.run([writer], capture_output=True, check=True).stdout)
written = 0
for kind, check in checks.items():
    text = export(kind, passport)
    if text is None:
        continue
    written += 1
    try:
        check(text)
    except Exception as fault:
        faults.append(f"{kind}: {fault}")
if written < 6:
    faults.append(f"only {written} exports had anything to say")
print("\n".join(faults))
sys.exit(bool(faults))
