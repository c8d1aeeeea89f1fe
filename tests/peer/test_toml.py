# SPDX-License-Identifier: Apache-2.0
"""The TOML reader against Python's: documents by hand, made at random, and damaged at random."""
import datetime
import json
import math
import pathlib
import random
import subprocess
import sys
import tomllib
import unittest

DUMP = sys.argv.pop(1)

# Documents where a rule of the specification decides; both readers must say the same.
BY_HAND = (pathlib.Path(__file__).parent / "toml_documents.txt").read_text()

BYTES = [
    b"",
    b"\n",
    b"a=1",
    b"a=1\r\n\r\nb=2\r\n",
    b"a=1\rb=2",
    b"a=1\r",
    b"a='''x\r\ny'''",
    b'a="""x\r\n\\\r\n  y"""',
    b"a='x\r\n'",
    b"a='x\ty'",
    b"a='x\x00y'",
    b"a='x\x7fy'",
    b"#\x00",
    b"#\x01",
    b"# \t fine",
    b"a\x00=1",
    b"\t a \t=\t 1 \t",
    b"\x0ca=1",
    b"a=1\x0b",
    b'a="\\u0000"',
    b'"a\\u0000b"=1',
    b"a='''",
    b"a=[" + b"[" * 40 + b"]" * 40 + b"]",
    b"a." * 30 + b"b=1",
    b"\xef\xbb\xbfa=1",
    "a='\u00a0'\n#\u2028".encode(),
    "\u00a0a=1".encode(),
]

NOT_UTF8 = [b"\xff", b"a='\xc0\x80'", b"a='\xed\xa0\x80'", b"#\x80", b"a='\xf5\x80\x80\x80'", b"\xe2\x82"]


def hexed(text):
    return text.encode("utf-8").hex()


def tree(value):
    """What toml_dump prints for a value that tomllib read."""
    if isinstance(value, bool):
        return ["a boolean", int(value)]
    if isinstance(value, dict):
        return ["a table", {hexed(key): tree(item) for key, item in value.items()}]
    if isinstance(value, list):
        return ["an array", [tree(item) for item in value]]
    if isinstance(value, int):
        return ["an integer", value]
    if isinstance(value, str):
        return ["a string", hexed(value)]
    if isinstance(value, float):
        return ["a float", value]
    return ["a date or time", value]


def date_of(text):
    """The date or time that a text means, by a one-line document."""
    return tomllib.loads("a=" + text)["a"]


def settle(value):
    """The dump, with the texts of floats and dates read."""
    kind, content = value
    if kind == "a table":
        return [kind, {key: settle(item) for key, item in content.items()}]
    if kind == "an array":
        return [kind, [settle(item) for item in content]]
    if kind == "a float":
        return [kind, float(bytes.fromhex(content).decode())]
    if kind == "a date or time":
        return [kind, date_of(bytes.fromhex(content).decode())]
    return value


def same(a, b):
    """Equality where nan is itself and -0.0 is not 0.0."""
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return type(a) is type(b) and a == b


def expected(data):
    """The tree, or None for a document that Python refuses, or that has what our reader leaves out."""
    try:
        value = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValueError):
        return None
    return tree(value)


def fits(value):
    """Python has integers of any size."""
    kind, content = value
    if kind == "a table":
        return all(map(fits, content.values()))
    if kind == "an array":
        return all(map(fits, content))
    return kind != "an integer" or -(1 << 63) <= content < 1 << 63


def dump(documents):
    text = b"".join(b"%d\n%b" % (len(document), document) for document in documents)
    done = subprocess.run([DUMP], input=text, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Maker:
    """Documents at random, most of them valid; keys are few, so that they meet each other."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def some(self, make, low, high, between=""):
        return between.join(make() for _ in range(self.random.randint(low, high)))

    def blanks(self):
        return self.pick("", "", "", " ", "\t", "  ")

    def bare(self):
        return self.pick("a", "b", "c", "d", "a1", "-", "_", "1")

    def key_part(self):
        return self.pick(self.bare(), self.bare(), self.bare(), f'"{self.bare()}"', f"'{self.bare()}'", '"\\u0061"', '""')

    def key(self):
        return self.some(self.key_part, 1, self.pick(1, 1, 2, 3), self.blanks() + "." + self.blanks())

    def character(self):
        return self.pick("x", "y", " ", "\t", "ä", "€", "😀", "#", "=", "[", "'", "'", '"', '"', "\\", "\n", "\r\n",
                         "\\n", "\\\\", '\\"', "\\u00e9", "\\U0001F600", "\\ ", "\\\n", "\\ \n  ", "\\z")

    def string(self):
        body = self.some(self.character, 0, 6)
        quote = self.pick('"', "'", '"""', "'''", '"""')
        if self.pick(True, True, True, False):
            body = body.replace(quote[0], "q") if len(quote) == 1 else body
            if quote[0] == '"':
                body = body.replace("\\z", "z")
            if len(quote) == 1:
                body = body.replace("\r\n", "").replace("\n", "").rstrip("\\")
        return quote + body + quote

    def number(self):
        digits = lambda: self.some(lambda: self.pick(*"0123456789_"), 1, 5)
        return self.pick("", "+", "-") + self.pick(
            digits(), "0x" + self.some(lambda: self.pick(*"0123456789abcdefABCDEF_"), 1, 6), "0o" + digits(),
            "0b" + self.some(lambda: self.pick(*"01_"), 1, 8), digits() + "." + digits(), digits() + "e" + digits(),
            digits() + ".5E-" + digits(), "inf", "nan", "1", "12", "0")

    def date(self):
        two = lambda top: f"{self.random.randint(0, top):02}"
        day = f"{self.random.randint(1, 9999):04}-{two(13)}-{two(32)}"
        time = f"{two(24)}:{two(60)}:{two(60)}" + self.pick("", "", ".1", ".123456789", ".")
        return self.pick(day, time, day + self.pick("T", "t", " ", "  ") + time +
                         self.pick("", "Z", "z", f"+{two(24)}:{two(60)}", f"-{two(12)}:{two(59)}", "+1:00"))

    def filling(self):
        return self.pick("", "", " ", "\n", " # c\n", "\r\n\t")

    def array(self, depth):
        item = lambda: self.filling() + self.value(depth + 1) + self.filling()
        return "[" + self.some(item, 0, 3, ",") + self.pick("", "", ",") + self.filling() + "]"

    def inline(self, depth):
        item = lambda: self.blanks() + self.key() + self.blanks() + "=" + self.blanks() + self.value(depth + 1) + self.blanks()
        return "{" + self.some(item, 0, 3, ",") + "}"

    def value(self, depth=0):
        kinds = [self.string, self.number, self.date, lambda: self.pick("true", "false"), lambda: "1"]
        if depth < 4:
            kinds += [lambda: self.array(depth), lambda: self.inline(depth)]
        return self.pick(*kinds)()

    def line(self):
        header = self.pick("[{}]", "[[{}]]").format(self.blanks() + self.key() + self.blanks())
        member = self.key() + self.blanks() + "=" + self.blanks() + self.value()
        return self.blanks() + self.pick(header, header, member, member, "") + self.blanks() + self.pick("", "# c")

    def document(self):
        return (self.some(self.line, 1, 8, self.pick("\n", "\r\n")) + self.pick("", "\n")).encode()

    def damaged(self, data):
        data = bytearray(data)
        for _ in range(self.random.randint(1, 3)):
            at = self.random.randrange(len(data) + 1)
            data[at:at + self.random.randint(0, 2)] = self.pick(b"", b"'", b'"', b"\\", b"=", b"[", b"]", b"{", b"}",
                                                                b",", b".", b"\n", b"\r", b"#", b"_", b"0", b"\x80")
        return bytes(data)


class Toml(unittest.TestCase):
    def compare(self, documents):
        """Returns how many of the documents were valid."""
        valid = 0
        for document, got in zip(documents, dump(documents), strict=True):
            wanted = expected(document)
            refused = isinstance(got, dict)
            if wanted is None or not fits(wanted):
                self.assertTrue(refused, f"{document!r}: Python refuses it, we read {got}")
                self.assertRegex(bytes.fromhex(got["error"]).decode(), r"^line \d+, column \d+: .")
                continue
            valid += 1
            if refused:
                self.fail(f"{document!r}: {bytes.fromhex(got['error']).decode()}")
            self.assertTrue(same(settle(got), wanted), f"{document!r}: {settle(got)} instead of {wanted}")
        return valid

    def test_by_hand(self):
        documents = [text.strip("\n").encode() + b"\n" for text in BY_HAND.split("===\n")]
        valid = self.compare(documents + [document.rstrip(b"\n") for document in documents] + BYTES)
        self.assertGreater(valid, 100)
        self.assertLess(valid, len(documents) * 2)

    def test_bytes_that_are_no_text(self):
        for document, got in zip(NOT_UTF8, dump(NOT_UTF8), strict=True):
            self.assertIn("UTF-8", bytes.fromhex(got["error"]).decode(), document)

    def test_made_at_random(self):
        maker = Maker(1)
        documents = [maker.document() for _ in range(8000)]
        valid = self.compare(documents)
        self.assertGreater(valid, 800)
        self.assertLess(valid, 7200)

    def test_single_values_made_at_random(self):
        maker = Maker(2)
        documents = [("a=" + maker.value()).encode() for _ in range(8000)]
        self.assertGreater(self.compare(documents), 2000)

    def test_tables_made_at_random(self):
        maker = Maker(3)
        maker.value = lambda depth=0: maker.pick("1", "{a=1}", "{a.b=1}", "[]", "[{}]", "{}")
        documents = [maker.document() for _ in range(8000)]
        self.assertGreater(self.compare(documents), 1600)

    def test_damaged_at_random(self):
        maker = Maker(4)
        valid = [document for document in (maker.document() for _ in range(8000)) if expected(document)]
        self.compare([maker.damaged(document) for document in valid])


if __name__ == "__main__":
    unittest.main()
