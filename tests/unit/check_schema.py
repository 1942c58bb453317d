"""Written passports validate against the schema; spoiled ones do not; the schema is closed
and describes every key.

    check_schema.py SCHEMA PROGRAM [ARGUMENT...]     PROGRAM prints passports as JSON
"""
import copy
import json
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: no python3-jsonschema")
    sys.exit(77)

faults = []


def strict(text):
    raise ValueError("not JSON: " + text)


def walk(node, path):
    """Every object is closed, every key described."""
    if not isinstance(node, dict):
        return
    if node.get("type") == "object" and node.get("additionalProperties") is not False:
        faults.append(f"{path}: open object")
    for key, value in node.get("properties", {}).items():
        if not value.get("description"):
            faults.append(f"{path}.{key}: no description")
    for key in ("properties", "patternProperties", "$defs"):
        for name, value in node.get(key, {}).items():
            walk(value, f"{path}.{name}")
    walk(node.get("items"), path + "[]")


def spoil(passport):
    """Yields copies, each with one fault the schema must see."""
    def changed(change):
        fresh = copy.deepcopy(passport)
        change(fresh)
        return fresh
    point = lambda p: p["probes"]["latency"]["series"]["windowed"]["points"][0]
    finding = lambda p: p["probes"]["latency"]["findings"]["l1d.size"]
    yield "an unknown key", changed(lambda p: p.update(extra=1))
    yield "an unknown key in a finding", changed(lambda p: finding(p).update(extra=1))
    yield "a newer schema", changed(lambda p: p.update(schema=2))
    yield "no schema", changed(lambda p: p.pop("schema"))
    yield "no verdict", changed(lambda p: finding(p).pop("verdict"))
    yield "a strange verdict", changed(lambda p: finding(p).update(verdict="sure"))
    yield "confidence above 1", changed(lambda p: finding(p).update(confidence=1.5))
    yield "a size as text", changed(lambda p: p["machine"].update(page_bytes="4096"))
    yield "a strange flag", changed(lambda p: point(p).update(flags=["odd"]))
    yield "a negative count", changed(lambda p: point(p).update(n=-1))
    yield "a sample that is null", changed(lambda p: point(p).update(samples=[None]))
    yield "rounds without samples", changed(lambda p: point(p).pop("samples"))
    yield "a strange status", changed(lambda p: p["probes"]["latency"].update(status="ok"))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file, parse_constant=strict)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    walk(schema, "$")
    text = subprocess.run(sys.argv[2:], check=True, stdout=subprocess.PIPE).stdout
    data = json.loads(text.decode("utf-8"), parse_constant=strict)
    rows = data if isinstance(data, list) else [data]
    for index, row in enumerate(rows):
        # One by one: the error then names the fault and not "no branch of oneOf".
        part = validator.evolve(schema={**schema["$defs"]["passport"], "$defs": schema["$defs"]})
        for error in part.iter_errors(row):
            faults.append(f"passport {index}: {'.'.join(map(str, error.path))}: {error.message}")
    if not validator.is_valid(data):
        faults.append("the file as a whole is refused")
    if "windowed" in rows[0]["probes"].get("latency", {}).get("series", {}):
        for what, spoiled in spoil(rows[0]):
            if validator.is_valid(spoiled):
                faults.append(f"{what} is accepted")
    print("\n".join(faults) or f"{len(rows)} passports validate")
    sys.exit(bool(faults))


main()
