# What `display(value)` shows; runs before bootstrap.py, in the same names.
import base64
import io
import json
import sys

# Those of table-data.ts.
_MAX_ROWS = 1_000
_MAX_COLUMNS = 50
_MAX_CELL = 1_000
# A picture as base64 must fit into what one run may show (limits.ts), with room for a few more.
_MAX_PICTURE = 900_000

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)


def _data_url(kind, data):
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def _plain(value):
    """A number of numpy's as Python's own; anything else as it is."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () and hasattr(value, "item"):
        return value.item()
    return value


def _cell(value):
    value = _plain(value)
    if value is None or type(value) is bool or (type(value) in (int, float) and _fits_json(value)):
        return value
    text = str(value)
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1] + "…"


def _table(rows):
    """A list of dicts, of named tuples, or of lists of simple values; None for what is no table."""
    if not rows or type(rows) not in (list, tuple):
        return None
    some = rows[:_MAX_ROWS]
    if all(isinstance(row, dict) and row and all(type(key) is str for key in row) for row in some):
        columns = list(dict.fromkeys(key for row in some for key in row))[:_MAX_COLUMNS]
        cells = [[_cell(row.get(key)) for key in columns] for row in some]
    elif all(isinstance(row, (list, tuple)) for row in some):
        fields = getattr(some[0], "_fields", None)
        if fields is None and (len(rows) < 2 or any(isinstance(each, (list, tuple, dict)) for row in some for each in row)):
            return None
        width = min(_MAX_COLUMNS, max(map(len, some)))
        columns = [str(fields[at]) if fields and at < len(fields) else str(at) for at in range(width)]
        cells = [[_cell(row[at]) if at < len(row) else None for at in range(width)] for row in some]
    else:
        return None
    return json.dumps({"columns": columns, "rows": cells, "total": len(rows)}, ensure_ascii=False)


def _frame_table(value):
    """A DataFrame or Series of pandas; None for anything else. What is missing becomes an empty cell."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(value, (pandas.DataFrame, pandas.Series)):
        return None
    frame = value.to_frame() if isinstance(value, pandas.Series) else value
    index = frame.index
    is_plain = isinstance(index, pandas.RangeIndex) and index.start == 0 and index.step == 1 and index.name is None
    levels = [] if is_plain else ["" if name is None else str(name) for name in index.names]
    labels = (" / ".join(map(str, label)) if isinstance(label, tuple) else str(label) for label in frame.columns)
    columns = [*levels, *labels][:_MAX_COLUMNS]
    some = frame.iloc[:_MAX_ROWS, :_MAX_COLUMNS]

    def cell(value):
        missing = pandas.isna(value)
        return None if missing is True or getattr(missing, "shape", None) == () and bool(missing) else _cell(value)

    rows = []
    for row in some.itertuples(index=not is_plain, name=None):
        before = row[0] if len(levels) > 1 else row[:1] if levels else ()
        rows.append([cell(each) for each in (*before, *(row[1:] if levels else row))][:_MAX_COLUMNS])
    return json.dumps({"columns": columns, "rows": rows, "total": len(frame)}, ensure_ascii=False)


def _picture(value):
    """A figure of matplotlib, or a part of one, as a picture that fits; None for anything else."""
    if "matplotlib.figure" not in sys.modules:
        return None
    if isinstance(value, sys.modules["matplotlib.artist"].Artist):
        value = value.get_figure()
    if not isinstance(value, sys.modules["matplotlib.figure"].FigureBase):
        return None
    for kind, dpi in (("png", 110), ("png", 72), ("jpeg", 72), ("jpeg", 40)):
        file = io.BytesIO()
        value.savefig(file, format=kind, dpi=dpi, bbox_inches="tight")
        if file.tell() <= _MAX_PICTURE:
            break
    return _data_url(f"image/{kind}", file.getvalue())


def _shown(value):
    """What `display(value)` shows: (kind, text). `any` is a text whose kind is still to be told by its looks."""
    if isinstance(value, str):
        return "any", value
    if isinstance(value, io.BytesIO):
        value = value.getvalue()
    if isinstance(value, (bytes, bytearray)):
        data = bytes(value)
        for signature, kind in _SIGNATURES:
            if data.startswith(signature):
                return "image", _data_url(kind, data)
        if data.lstrip()[:5] in (b"<svg ", b"<svg>", b"<?xml"):
            return "any", data.decode(errors="replace")
        return "text", _repr(data[:1_000]) + (f" … {len(data)} bytes" if len(data) > 1_000 else "")
    picture = _picture(value)
    if picture is not None:
        return "image", picture
    table = _frame_table(value)
    if table is not None:
        return "table", table
    for name, kind in (("_repr_svg_", "svg"), ("_repr_png_", "image/png"), ("_repr_jpeg_", "image/jpeg"), ("_repr_html_", "html")):
        method = None if isinstance(value, type) else getattr(value, name, None)
        made = method() if callable(method) else None
        if made is None:
            continue
        if kind.startswith("image/"):
            return "image", made if isinstance(made, str) and made.startswith("data:") else _data_url(kind, base64.b64decode(made) if isinstance(made, str) else made)
        return kind, str(made)
    if type(value) is dict and len(value) == 1:
        (name, text), = value.items()
        if name in ("html", "svg") and isinstance(text, str):
            return name, text
    table = _table(value)
    if table is not None:
        return "table", table
    if isinstance(value, (dict, list, tuple)) and _fits_json(value):
        return "json", _to_json(value)
    return "text", _repr(value)
