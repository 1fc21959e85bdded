"""What the subjects read: made here, the same bytes each time."""

import bz2
import json
import random
import zlib

SYLLABLES = "ba co di fu ge hi jo ka lu me no pi qua re so ti un ve wo xe ya zu stra ple ing er".split()


class Writer:
    """Draws words with the uneven frequencies of a natural language."""

    def __init__(self) -> None:
        self.draw = random.Random(20)
        self.words = ["".join(self.draw.choices(SYLLABLES, k=self.draw.randint(1, 4))) for _ in range(600)]
        self.weights = [1 / (rank + 2) for rank in range(len(self.words))]

    def some(self, low: int, high: int) -> list[str]:
        return self.draw.choices(self.words, self.weights, k=self.draw.randint(low, high))

    def word(self) -> str:
        return self.some(1, 1)[0]

    def sentence(self) -> str:
        return " ".join(self.some(4, 14)).capitalize() + ". "

    def text(self, size: int) -> bytes:
        parts: list[str] = []
        length = 0
        while length < size:
            parts.append(self.sentence() if self.draw.random() < 0.9 else "\n\n")
            length += len(parts[-1])
        return "".join(parts).encode()[:size]


def json_document(size: int) -> bytes:
    """An array of records with every kind of value, as close to the size as whole records come."""
    to = Writer()
    records: list[str] = []
    length = 2
    while True:
        record = json.dumps({
            "id": to.draw.randrange(100000),
            "name": to.word(),
            "score": round(to.draw.uniform(-50, 50), 3),
            "tags": to.some(0, 4),
            "active": to.draw.random() < 0.5,
            "parent": None,
            "note": to.sentence() + ("\u00e9\n\"" if to.draw.random() < 0.3 else ""),
            "at": {"x": to.draw.randrange(-999, 999), "y": to.draw.uniform(0, 1e-6)},
        })
        if length + len(record) > size and records:
            return ("[" + ",\n".join(records) + "]").encode()
        records.append(record)
        length += len(record) + 2


def xml_document(size: int) -> bytes:
    """Elements in elements, attributes, entities, comments, character data, as close to the size as whole ones come."""
    to = Writer()
    head, tail = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by the benchmark -->\n<records>\n', "</records>\n"
    parts = [head]
    length = len(head) + len(tail)
    while True:
        kind = to.word()
        inner = to.sentence() + ("&amp; &#233; &lt;" if to.draw.random() < 0.3 else "")
        if to.draw.random() < 0.1:
            inner += f"<![CDATA[{to.word()} < {to.word()}]]>"
        if to.draw.random() < 0.1:
            inner += f"<!-- {to.word()} -->"
        record = (
            f'  <record id="{to.draw.randrange(100000)}" kind="{kind}">\n    <name>{to.word()} {to.word()}</name>\n'
            f'    <at x="{to.draw.randrange(999)}" y="{to.draw.randrange(999)}"/>\n    <note>{inner}</note>\n  </record>\n'
        )
        if length + len(record) > size and len(parts) > 1:
            return "".join([*parts, tail]).encode()
        parts.append(record)
        length += len(record)


def compressed(compress, size: int) -> bytes:
    """Text, as much of it as takes that size when it is compressed."""
    text = Writer().text(20 * size)
    low, high = 0, len(text)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if len(compress(text[:middle])) <= size else (low, middle)
    return compress(text[:low])


def bzip2_stream(size: int) -> bytes:
    return compressed(bz2.compress, size)


def zlib_stream(size: int) -> bytes:
    return compressed(zlib.compress, size)


def text(size: int) -> bytes:
    return Writer().text(size)
