"""
Writes the documents of this folder, and expected.json, with programs that people write documents with: LibreOffice, pandoc,
Chromium, and packages of Python. What is expected comes from the texts below, never from a reader.

    python3 make.py            needs soffice, pandoc and chromium, and: pip install python-docx reportlab fpdf2 openpyxl xlsxwriter

The results are committed: tests need none of these programs.
"""
import html
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM", "chromium")

# ("h", level, text), ("p", text), ("ul" or "ol", items), ("table", rows). An item may be (text, [items below]).
TEXTS = {
    "lease": [
        ("h", 1, "Rental contract"),
        ("p", "This contract is between Mrs Ada Byron, called the landlord, and Mr Alan Mathison, called the tenant."),
        ("h", 2, "The flat"),
        ("p", "The flat is on the third floor of 12 Garden Lane. It has two rooms, a kitchen and a bath, 58 square metres in all."),
        ("h", 2, "Rent"),
        ("p", "The rent is due on the third working day of each month."),
        ("table", [["Item", "Amount"], ["Rent without heating", "610.00"], ["Heating and water", "95.50"], ["Total", "705.50"]]),
        ("h", 2, "Duties of the tenant"),
        ("ol", ["Keep the flat clean and aired.", "Report damage within a week.", "Ask before any pet moves in."]),
        ("p", "Both parties have read and understood this contract."),
    ],
    "minutes": [
        ("h", 1, "Minutes of the spring meeting"),
        ("p", "Present: seven of nine members. The meeting began at 18:30 and ended at 20:05."),
        ("h", 2, "Decisions"),
        ("ul", ["The fence is repaired in May.", ("Two new lamps are bought:", ["one for the gate", "one for the shed"]), "The fee stays as it is."]),
        ("h", 2, "Open points"),
        ("ul", ["Who keeps the key during the summer?", "Does the insurance cover the greenhouse?"]),
        ("p", "The next meeting is on 14 September."),
    ],
    "invoice": [
        ("h", 1, "Invoice 2026-0417"),
        ("p", "Customer number 88213, order of 3 April 2026."),
        ("table", [
            ["Position", "Article", "Quantity", "Price"],
            ["1", "Oak shelf, 80 cm", "2", "49.00"],
            ["2", "Steel bracket", "4", "6.25"],
            ["3", "Screws M6 × 40", "16", "0.18"],
        ]),
        ("p", "Please pay 125.88 EUR within 14 days. Thank you for your order."),
    ],
    "bericht": [
        ("h", 1, "Bericht über die Prüfung der Brücke"),
        ("p", "Die Prüfer fanden an den Lagern keine größeren Schäden; die Übergänge müssen vor dem Winter geölt werden."),
        ("h", 2, "Mängel"),
        ("ul", ["Rost an den Geländern der Südseite", "Löcher im Belag, bis 4 cm tief", "Ein fehlendes Schild „Höchstlast 12 t“"]),
        ("h", 2, "Kosten"),
        ("table", [["Maßnahme", "Euro"], ["Geländer streichen", "8.400"], ["Belag ausbessern", "15.250"]]),
    ],
    "zhongwen": [
        ("h", 1, "年度工作报告"),
        ("p", "本年度共完成项目十二个，其中八个按时交付，客户满意度为百分之九十四。"),
        ("h", 2, "主要成果"),
        ("ul", ["建立了新的数据中心", "开发了移动应用程序", "培训员工三百余人"]),
        ("h", 2, "预算"),
        ("table", [["部门", "金额"], ["研发", "420万"], ["市场", "180万"]]),
    ],
    "letter": [
        ("p", "Dear Professor Lovelace,"),
        ("p", "thank you for your letter of last week. I have read the enclosed notes with great pleasure, and I agree that the second table needs another column."),
        ("p", "The printer tells me that the pages can still be changed until Friday. After that day every change costs us a new plate, which neither of us can afford."),
        ("p", "Would you be so kind as to send me the numbers from 1842 again? My copy was damaged by water."),
        ("p", "With kind regards, Charles"),
    ],
    "handbook": [
        ("h", 1, "Handbook of the tea machine"),
        ("h", 2, "Start"),
        ("p", "Fill the tank, close the lid and press the green button."),
        ("h", 3, "Water"),
        ("p", "Use soft water. Hard water leaves lime in the pipes."),
        ("h", 3, "Electricity"),
        ("p", "The machine needs 230 volts and at most 900 watts."),
        ("h", 2, "Care"),
        ("ol", ["Empty the tank each evening.", "Rinse the filter once a week.", "Remove lime every three months."]),
        ("h", 2, "Faults"),
        ("table", [["Light", "Meaning", "What to do"], ["red", "no water", "fill the tank"], ["yellow", "lime", "remove it"]]),
    ],
    "langues": [
        ("h", 1, "Une phrase par langue"),
        ("p", "Français : l’été dernier, à Noël, où êtes-vous allé ?"),
        ("p", "Polski: zażółć gęślą jaźń. Česky: příliš žluťoučký kůň."),
        ("p", "Ελληνικά: η γρήγορη αλεπού. Русский: съешь же ещё этих мягких булок."),
        ("p", "Türkçe: ığdır şoförü. Íslenska: þú ættir að sjá. Español: ¿qué año, señor?"),
    ],
}

# A workbook: sheets of rows.
SHEETS = {
    "sales": {
        "Sales": [["Region", "Month", "Units", "Share"], ["North", "January", 120, 0.25], ["South", "January", 95, 0.5], ["North", "February", 133, 0.125]],
        "Notes": [["Note"], ["Numbers of the south are estimated; see mail of 3 March."], ["Commas, \"quotes\" and ; stay as they are"]],
    },
    "lager": {"Lager": [["Artikel", "Menge", "Fach"], ["Schraube M6", 1600, "A-1"], ["Öl, 1 l", 12, "B-7"], ["Größe XL", 0, "C-3"]]},
    "wide": {"Wide": [[f"c{n}" for n in range(30)], *[[row * 30 + n for n in range(30)] for row in range(12)]]},
    "merged": {
        "Results": [
            ["Results of the year"],
            [],
            ["Region", "First half", "", "Second half"],
            ["", "Units", "Share", "Units", "Share"],
            ["North", 120, 0.25, 133, 0.5],
            ["", 95, 0.5, 101, 0.125],
            ["South", 80, 0.75, 77, 0.25],
        ],
    },
}
# Merged cells of a workbook, by sheet.
MERGED = {"merged": {"Results": ["A1:E1", "A3:A4", "B3:C3", "D3:E3", "A5:A6"]}}
# Lines of the text that describe a sheet.
DESCRIBED = {"merged": {"Results": ["(merged cells: A3:A4 B3:C3 D3:E3 A5:A6)"]}}


def listed(kind, items):
    for item in items:
        text, below = item if isinstance(item, tuple) else (item, [])
        yield kind, text
        yield from listed(kind, below)


def html_list(kind, items):
    parts = []
    for item in items:
        text, below = item if isinstance(item, tuple) else (item, [])
        parts.append(f"<li>{html.escape(text)}{html_list(kind, below) if below else ''}</li>")
    return f"<{kind}>{''.join(parts)}</{kind}>"


def as_html(blocks, title):
    parts = []
    for kind, *rest in blocks:
        if kind == "h":
            parts.append(f"<h{rest[0]}>{html.escape(rest[1])}</h{rest[0]}>")
        elif kind == "p":
            parts.append(f"<p>{html.escape(rest[0])}</p>")
        elif kind == "table":
            head, *body = rest[0]
            row = lambda cells, tag: "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
            parts.append(f"<table border='1'><thead>{row(head, 'th')}</thead><tbody>{''.join(row(each, 'td') for each in body)}</tbody></table>")
        else:
            parts.append(html_list(kind, rest[0]))
    style = "body{font-family:sans-serif} table{border-collapse:collapse} td,th{padding:4px 12px;border:1px solid #888;text-align:left}"
    return f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{html.escape(title)}</title><style>{style}</style></head><body>{''.join(parts)}</body></html>"


def expected(blocks):
    words, headings, rows, items = [], [], [], []
    for kind, *rest in blocks:
        if kind == "h":
            headings.append(rest[1])
            words.append(rest[1])
        elif kind == "p":
            words.append(rest[0])
        elif kind == "table":
            rows += rest[0]
            words += [cell for row in rest[0] for cell in row]
        else:
            found = [text for _, text in listed(kind, rest[0])]
            items += found
            words += found
    return {"text": " ".join(words), "headings": headings, "rows": rows, "items": items}


def soffice(source, kind, folder):
    into = {"pdf": "pdf:writer_pdf_Export", "docx": "docx:MS Word 2007 XML", "odt": "odt:writer8", "rtf": "rtf:Rich Text Format", "epub": "epub:EPUB"}.get(kind, kind)
    given = ["--infilter=HTML (StarWriter)"] if source.suffix == ".html" else ["--infilter=CSV:44,34,76,1"] if source.suffix == ".csv" else []
    subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", *given, "--convert-to", into, "--outdir", str(folder), str(source)], check=True, capture_output=True)
    return folder / f"{source.stem}.{kind}"


def pandoc(source, kind, folder):
    made = folder / f"{source.stem}.{kind}"
    subprocess.run(["pandoc", "-f", "html", "-s", "--metadata", "title=", str(source), "-o", str(made)], check=True, capture_output=True)
    return made


def chromium(source, _kind, folder):
    made = folder / f"{source.stem}.pdf"
    subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={made}", str(source)], check=True, capture_output=True)
    return made


def python_docx(name, folder):
    from docx import Document

    document = Document()
    for kind, *rest in TEXTS[name]:
        if kind == "h":
            document.add_heading(rest[1], rest[0])
        elif kind == "p":
            document.add_paragraph(rest[0])
        elif kind == "table":
            table = document.add_table(rows=0, cols=len(rest[0][0]))
            for row in rest[0]:
                for cell, text in zip(table.add_row().cells, row):
                    cell.text = text
        else:
            for _, text in listed(kind, rest[0]):
                document.add_paragraph(text, style="List Bullet" if kind == "ul" else "List Number")
    document.save(folder / "made.docx")
    return folder / "made.docx"


def reportlab(name, folder):
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import ListFlowable, Paragraph, SimpleDocTemplate, Table

    styles = getSampleStyleSheet()
    story = []
    for kind, *rest in TEXTS[name]:
        if kind == "h":
            story.append(Paragraph(html.escape(rest[1]), styles[f"Heading{rest[0]}"]))
        elif kind == "p":
            story.append(Paragraph(html.escape(rest[0]), styles["BodyText"]))
        elif kind == "table":
            story.append(Table(rest[0], hAlign="LEFT", colWidths=[140] * len(rest[0][0])))
        else:
            found = [Paragraph(html.escape(text), styles["BodyText"]) for _, text in listed(kind, rest[0])]
            story.append(ListFlowable(found, bulletType="bullet" if kind == "ul" else "1"))
    SimpleDocTemplate(str(folder / "made.pdf"), invariant=1).build(story)
    return folder / "made.pdf"


def fpdf2(name, folder):
    from fpdf import FPDF

    pdf = FPDF()
    pdf.add_page()
    for kind, *rest in TEXTS[name]:
        if kind == "h":
            pdf.set_font("Helvetica", "B", 24 - 4 * rest[0])
            pdf.multi_cell(0, 12, rest[1], new_x="LMARGIN", new_y="NEXT")
        elif kind == "p":
            pdf.set_font("Helvetica", "", 11)
            pdf.multi_cell(0, 6, rest[0], new_x="LMARGIN", new_y="NEXT")
            pdf.ln(3)
        elif kind == "table":
            pdf.set_font("Helvetica", "", 11)
            with pdf.table() as table:
                for row in rest[0]:
                    made = table.row()
                    for cell in row:
                        made.cell(cell)
            pdf.ln(4)
        else:
            pdf.set_font("Helvetica", "", 11)
            for number, (_, text) in enumerate(listed(kind, rest[0]), 1):
                pdf.multi_cell(0, 6, f"{number}. {text}" if kind == "ol" else f"- {text}", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(3)
    pdf.output(str(folder / "made.pdf"))
    return folder / "made.pdf"


def openpyxl(name, folder):
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for title, rows in SHEETS[name].items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for cells in MERGED.get(name, {}).get(title, []):
            sheet.merge_cells(cells)
    book.save(folder / "made.xlsx")
    return folder / "made.xlsx"


def xlsxwriter(name, folder):
    from xlsxwriter import Workbook

    book = Workbook(str(folder / "made.xlsx"))
    for title, rows in SHEETS[name].items():
        sheet = book.add_worksheet(title)
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    book.close()
    return folder / "made.xlsx"


OF_HTML = {
    ("libreoffice", soffice): {"docx": ["lease", "minutes", "bericht", "zhongwen", "handbook"], "odt": ["lease", "minutes", "zhongwen", "langues", "bericht"], "rtf": ["lease", "invoice", "bericht", "langues", "zhongwen"], "pdf": ["lease", "letter", "handbook"], "epub": ["letter"]},
    ("pandoc", pandoc): {"docx": ["lease", "invoice", "langues", "minutes", "zhongwen", "bericht"], "odt": ["invoice", "handbook", "letter"], "rtf": ["minutes", "letter"], "epub": ["lease", "handbook", "zhongwen", "langues"], "pptx": ["minutes", "handbook"]},
    ("chromium", chromium): {"pdf": ["lease", "minutes", "invoice", "bericht"]},
}
BY_PACKAGE = {("python-docx", python_docx): ["invoice", "minutes"], ("reportlab", reportlab): ["lease", "letter", "invoice"], ("fpdf2", fpdf2): ["letter", "invoice", "minutes"]}
BOOKS = {("openpyxl", openpyxl): ["sales", "lager", "wide", "merged"], ("xlsxwriter", xlsxwriter): ["sales", "lager"]}


def main():
    files = []

    def keep(made, name, producer, kind):
        target = f"{name}.{producer}.{kind}"
        shutil.copyfile(made, HERE / target)
        files.append(target)

    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name, blocks in TEXTS.items():
            (folder / f"{name}.html").write_text(as_html(blocks, name))
        for (producer, make), kinds in OF_HTML.items():
            for kind, names in kinds.items():
                for name in names:
                    made = make(folder / f"{name}.html", kind, folder)
                    if kind == "pptx":
                        keep(soffice_slides(made, folder), name, "libreoffice", "odp")
                    keep(made, name, producer, kind)
        for (producer, make), names in {**BY_PACKAGE, **BOOKS}.items():
            for name in names:
                made = make(name, folder)
                keep(made, name, producer, made.suffix[1:])
        for name in ("lager", "wide"):
            (title, rows), = SHEETS[name].items()
            (folder / f"{title}.csv").write_text("\n".join(",".join(f'"{cell}"' if isinstance(cell, str) else str(cell) for cell in row) for row in rows))
            keep(soffice(folder / f"{title}.csv", "ods", folder), name, "libreoffice", "ods")
            keep(soffice(folder / f"{title}.csv", "xlsx", folder), name, "libreoffice", "xlsx")
    texts = {name: expected(blocks) for name, blocks in TEXTS.items()}
    sheets = {book: {title: [*rows, *([line] for line in DESCRIBED.get(book, {}).get(title, []))] for title, rows in parts.items()} for book, parts in SHEETS.items()}
    (HERE / "expected.json").write_text(json.dumps({"texts": texts, "sheets": sheets, "files": sorted(files)}, ensure_ascii=False, indent=1) + "\n")


def soffice_slides(source, folder):
    subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", "--convert-to", "odp", "--outdir", str(folder), str(source)], check=True, capture_output=True)
    return folder / f"{source.stem}.odp"


main()
