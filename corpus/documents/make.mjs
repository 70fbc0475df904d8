/**
 * Writes more of the documents of this folder, from the texts of make.py, with packages of npm that people write documents
 * with, and adds their names to expected.json:
 *
 *     npm i docx pptxgenjs pdfkit jspdf jspdf-autotable exceljs epub-gen-memory xlsx excel4node xlsx-populate
 *         (elsewhere: none is needed here; also ssconvert of Gnumeric)
 *     node make.mjs FOLDER_OF_THAT
 *
 * The results are committed: tests need none of these packages.
 */
import { execFileSync } from 'node:child_process'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const here = import.meta.dirname
const load = createRequire(path.join(path.resolve(process.argv[2] ?? '.'), 'x.js'))
// Only its texts: the rest of it writes documents.
const script = "import json; __file__ = 'make.py'; exec(open('make.py').read().split('def listed')[0]); print(json.dumps([TEXTS, SHEETS]))"
const given = execFileSync('python3', ['-c', script], { cwd: here, env: { ...process.env, PYTHONIOENCODING: 'utf-8' } })
const [texts, sheets] = JSON.parse(String(given))
const made = []
const target = (name) => {
  made.push(name)
  return path.join(here, name)
}
const itemOf = (item) => (Array.isArray(item) ? item : [item, []])

async function docx(name) {
  const { Document, HeadingLevel, LevelFormat, Packer, Paragraph, Table, TableCell, TableRow } = load('docx')
  const children = texts[name].flatMap(([kind, ...rest]) => {
    if (kind === 'h') return [new Paragraph({ text: rest[1], heading: HeadingLevel[`HEADING_${rest[0]}`] })]
    if (kind === 'p') return [new Paragraph(rest[0])]
    if (kind === 'table') {
      const rows = rest[0].map((row) => new TableRow({ children: row.map((text) => new TableCell({ children: [new Paragraph(text)] })) }))
      return [new Table({ rows })]
    }
    const list = (items, level) =>
      items.flatMap((item) => {
        const [text, below] = itemOf(item)
        const how = kind === 'ul' ? { bullet: { level } } : { numbering: { reference: 'steps', level } }
        return [new Paragraph({ text, ...how }), ...list(below, level + 1)]
      })
    return list(rest[0], 0)
  })
  const levels = [0, 1].map((level) => ({ level, format: LevelFormat.DECIMAL, text: `%${level + 1}.` }))
  const file = new Document({ numbering: { config: [{ reference: 'steps', levels }] }, sections: [{ children }] })
  writeFileSync(target(`${name}.docx-js.docx`), await Packer.toBuffer(file))
}

/** A slide for each heading of the first two levels. */
async function pptx(name) {
  const Presentation = load('pptxgenjs')
  const file = new Presentation()
  file.defineSlideMaster({
    title: 'TEXT',
    objects: [{ placeholder: { options: { name: 'title', type: 'title', x: 0.5, y: 0.2, w: 9, h: 0.8 }, text: '' } }],
  })
  let slide = null
  let y = 1
  for (const [kind, ...rest] of texts[name]) {
    if (kind === 'h') {
      slide = file.addSlide({ masterName: 'TEXT' })
      slide.addText(rest[1], { placeholder: 'title' })
      y = 1.2
      continue
    }
    if (kind === 'p') slide.addText(rest[0], { x: 0.5, y, w: 9, h: 0.6 })
    else if (kind === 'table') slide.addTable(rest[0].map((row) => row.map((text) => ({ text }))), { x: 0.5, y, w: 9 })
    else {
      const lines = (items, level) =>
        items.flatMap((item) => {
          const [text, below] = itemOf(item)
          const bullet = kind === 'ul' ? true : { type: 'number' }
          return [{ text, options: { bullet, indentLevel: level, breakLine: true } }, ...lines(below, level + 1)]
        })
      slide.addText(lines(rest[0], 0), { x: 0.5, y, w: 9, h: 2 })
    }
    y += kind === 'p' ? 0.7 : 2.1
  }
  writeFileSync(target(`${name}.pptxgenjs.pptx`), await file.write({ outputType: 'nodebuffer' }))
}

/** Tagged. */
async function pdfkit(name) {
  const Pdf = load('pdfkit')
  const pdf = new Pdf({ tagged: true, pdfVersion: '1.7', displayTitle: true, info: { Title: name } })
  const out = createWriteStream(target(`${name}.pdfkit.pdf`))
  pdf.pipe(out)
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  const write = (text, size, options = {}) => () => pdf.fontSize(size).text(text, options).moveDown(0.4)
  for (const [kind, ...rest] of texts[name]) {
    if (kind === 'h') root.add(pdf.struct(`H${rest[0]}`, write(rest[1], 22 - 4 * rest[0])))
    else if (kind === 'p') root.add(pdf.struct('P', write(rest[0], 11)))
    else if (kind === 'table') {
      const table = pdf.struct('Table')
      root.add(table)
      for (const [at, row] of rest[0].entries()) {
        const line = pdf.struct('TR')
        table.add(line)
        const { y } = pdf
        // Right to left: only the tags have the order of reading.
        const cells = row.map((text, column) =>
          pdf.struct(at === 0 ? 'TH' : 'TD', () => pdf.fontSize(11).text(text, 72 + column * 110, y, { width: 100 })),
        )
        cells.forEach((cell) => line.add(cell))
        pdf.x = 72
        pdf.y = y + 18
      }
    } else {
      const list = (items, level) => {
        const found = pdf.struct('L')
        for (const [at, item] of items.entries()) {
          const [text, below] = itemOf(item)
          const entry = pdf.struct('LI')
          found.add(entry)
          entry.add(pdf.struct('Lbl', () => pdf.fontSize(11).text(kind === 'ul' ? '•' : `${at + 1}.`, { continued: true })))
          const body = pdf.struct('LBody')
          entry.add(body)
          body.add(() => pdf.text(` ${text}`, { continued: false }))
          if (below.length > 0) body.add(list(below, level + 1))
          body.end()
          entry.end()
        }
        found.end()
        return found
      }
      root.add(list(rest[0], 0))
    }
  }
  root.end()
  pdf.end()
  await new Promise((resolve) => out.on('finish', resolve))
}

async function jspdf(name) {
  const { jsPDF: Pdf } = load('jspdf')
  const { autoTable } = load('jspdf-autotable')
  const pdf = new Pdf({ unit: 'pt' })
  let y = 60
  for (const [kind, ...rest] of texts[name]) {
    if (kind === 'table') {
      autoTable(pdf, { head: [rest[0][0]], body: rest[0].slice(1), startY: y })
      y = pdf.lastAutoTable.finalY + 30
      continue
    }
    const size = kind === 'h' ? 24 - 4 * rest[0] : 11
    pdf.setFontSize(size)
    const lines = kind === 'h' || kind === 'p' ? pdf.splitTextToSize(rest.at(-1), 450) : rest[0].map((text, at) => `${at + 1}. ${text}`)
    for (const line of lines) {
      pdf.text(line, 60, y)
      y += size * 1.25
    }
    y += 10
  }
  writeFileSync(target(`${name}.jspdf.pdf`), Buffer.from(pdf.output('arraybuffer')))
}

async function epub(name) {
  const { default: write } = load('epub-gen-memory')
  const list = (tag, items) =>
    `<${tag}>${items.map((item) => `<li>${itemOf(item)[0]}${itemOf(item)[1].length > 0 ? list(tag, itemOf(item)[1]) : ''}</li>`).join('')}</${tag}>`
  const markup = ([kind, ...rest]) => {
    if (kind === 'h') return `<h${rest[0]}>${rest[1]}</h${rest[0]}>`
    if (kind === 'p') return `<p>${rest[0]}</p>`
    if (kind !== 'table') return list(kind, rest[0])
    return `<table>${rest[0].map((row) => `<tr>${row.map((text) => `<td>${text}</td>`).join('')}</tr>`).join('')}</table>`
  }
  const chapter = { title: name, content: texts[name].map(markup).join('') }
  const options = { title: name, author: 'Nod', prependChapterTitles: false, tocInTOC: false }
  writeFileSync(target(`${name}.epub-gen.epub`), await (write.default ?? write)(options, [chapter]))
}

async function xlsx(name) {
  const { Workbook } = load('exceljs')
  const book = new Workbook()
  for (const [title, rows] of Object.entries(sheets[name])) book.addWorksheet(title).addRows(rows)
  await book.xlsx.writeFile(target(`${name}.exceljs.xlsx`))
}

function sheetjs(name) {
  const { utils, writeFile } = load('xlsx')
  const book = utils.book_new()
  for (const [title, rows] of Object.entries(sheets[name])) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), title)
  for (const format of ['xlsx', 'ods']) writeFile(book, target(`${name}.sheetjs.${format}`))
}

/** From the workbook of another program. */
function gnumeric(name) {
  const exporters = { xlsx: 'Gnumeric_Excel:xlsx2', ods: 'Gnumeric_OpenCalc:odf' }
  const from = path.join(here, `${name}.exceljs.xlsx`)
  for (const [format, exporter] of Object.entries(exporters))
    execFileSync('ssconvert', ['-T', exporter, from, target(`${name}.gnumeric.${format}`)], { stdio: 'ignore' })
}

async function excel4node(name) {
  const { Workbook } = load('excel4node')
  const book = new Workbook()
  for (const [title, rows] of Object.entries(sheets[name])) {
    const sheet = book.addWorksheet(title)
    for (const [y, row] of rows.entries())
      for (const [x, value] of row.entries()) {
        const cell = sheet.cell(y + 1, x + 1)
        if (typeof value === 'number') cell.number(value)
        else cell.string(value)
      }
  }
  writeFileSync(target(`${name}.excel4node.xlsx`), await book.writeToBuffer())
}

async function populate(name) {
  const book = await load('xlsx-populate').fromBlankAsync()
  for (const [at, [title, rows]] of Object.entries(sheets[name]).entries()) {
    const sheet = at === 0 ? book.sheet(0).name(title) : book.addSheet(title)
    sheet.cell('A1').value(rows)
  }
  await book.toFileAsync(target(`${name}.xlsx-populate.xlsx`))
}

for (const name of ['lease', 'minutes', 'zhongwen', 'handbook']) await docx(name)
for (const name of ['lease', 'minutes', 'handbook']) await pptx(name)
for (const name of ['lease', 'minutes', 'invoice']) await pdfkit(name)
for (const name of ['lease', 'invoice']) await jspdf(name)
for (const name of ['langues', 'bericht']) await epub(name)
for (const name of ['sales', 'lager']) await xlsx(name)
for (const name of ['sales', 'lager']) sheetjs(name)
gnumeric('sales')
await excel4node('lager')
await populate('sales')

const list = path.join(here, 'expected.json')
const expected = JSON.parse(readFileSync(list, 'utf8'))
const files = [...new Set([...expected.files, ...made])].toSorted((a, b) => (a < b ? -1 : 1))
writeFileSync(list, `${JSON.stringify({ ...expected, files }, null, 1)}\n`)
