import { readFileSync } from 'node:fs'
import initSqlJs from 'sql.js'
import { describe, expect, it } from 'vitest'
import { encodeText } from '@/lib/base/text/text-encoding'
import { inRoot } from '@/scripts/setup/paths.mjs'
import type { TableData } from '../table-data'
import { makeXlsx } from '../documents/testing/make-office'
import { runSql, type SqlFile } from './run-sql'

const sql = await initSqlJs()

const text = (path: string, content: string): SqlFile => ({ path, data: new TextEncoder().encode(content) })

async function ask(query: string, ...files: readonly SqlFile[]) {
  const shown: TableData[] = []
  return { answer: await runSql(sql, { query }, files, (table) => shown.push(table)), shown }
}

const orders = text(
  '/data/Orders 2026.csv',
  'id,day,sum,paid,zip\n1,2026-01-02,10.5,true,01234\n2,2026-01-03,,false,99999\n',
)

describe('a query on files', () => {
  it('finds a CSV file under its name, with the types of its columns', async () => {
    const { answer, shown } = await ask('select sum(sum) as total, count(*) as n from orders_2026 where paid', orders)
    expect(answer).toEqual({
      ok: true,
      tables: [
        {
          name: 'orders_2026',
          from: '/data/Orders 2026.csv',
          rows: 2,
          columns: ['id integer', 'day text, ISO date', 'sum real', 'paid integer, 1 is true', 'zip text'],
        },
      ],
      columns: ['total', 'n'],
      rows: [[10.5, 1]],
      total: 1,
      more: false,
      changes: false,
    })
    expect(shown).toEqual([{ columns: ['total', 'n'], rows: [[10.5, 1]], total: 1 }])
  })

  it('joins tables of files of all kinds', async () => {
    const { answer } = await ask(
      'select c.name, s.amount, j.tags, l.x from customers c join sales s on s.id = c.id join more j on j.id = c.id join lines l',
      text('/customers.tsv', 'id\tname\n7\tAda\n'),
      {
        path: '/sales.xlsx',
        data: makeXlsx([
          {
            name: 'Q1',
            rows: '<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>amount</t></is></c></row><row r="2"><c r="A2"><v>7</v></c><c r="B2"><v>2.5</v></c></row>',
          },
        ]),
      },
      text('/more.json', '[{"id":7,"tags":["a"]},{"id":8}]'),
      text('/lines.jsonl', '{"x":1}\n\n{"x":2}\n'),
    )
    expect(answer).toMatchObject({
      rows: [
        ['Ada', 2.5, '["a"]', 1],
        ['Ada', 2.5, '["a"]', 2],
      ],
    })
  })

  it('joins the words of a header of several rows, and says that merged rows have their value once', async () => {
    const data = new Uint8Array(readFileSync(inRoot('corpus/documents/merged.openpyxl.xlsx')))
    const query = 'select "First half Units", "Second half Share" from merged where Region is not null'
    const { answer } = await ask(query, { path: '/merged.xlsx', data })
    expect(answer).toMatchObject({
      ok: true,
      rows: [
        [120, 0.5],
        [80, 0.25],
      ],
      tables: [
        {
          rows: 3,
          columns: [
            'Region text',
            'First half Units integer',
            'First half Share real',
            'Second half Units integer',
            'Second half Share real',
          ],
          note: 'The first row was left out as a title. The header has 2 rows with merged cells, so each name has the words of all of its rows. Cells are merged over several rows: only the first row has their value.',
        },
      ],
    })
  })

  it('reads a workbook with macros, and says that they were not run', async () => {
    const rows = '<row><c t="inlineStr"><is><t>n</t></is></c></row><row><c><v>7</v></c></row>'
    const data = makeXlsx([{ name: 'A', rows }], [], { 'xl/vbaProject.bin': 'Sub' })
    for (const path of ['/t.xlsm', '/t.xltm']) {
      const { answer } = await ask('select n from t', { path, data })
      expect(answer).toMatchObject({ rows: [[7]], tables: [{ note: 'The workbook has macros: they were not run.' }] })
    }
  })

  it('opens databases unchanged, and attaches others by their names', async () => {
    const make = (script: string): Uint8Array => {
      const db = new sql.Database()
      db.run(script)
      return db.export()
    }
    const first = {
      path: '/a.sqlite',
      data: make('create table t (x integer); insert into t values (9007199254740993)'),
    }
    const second = { path: '/b.db', data: make("create table u (y text); insert into u values ('z')") }
    const { answer } = await ask('select t.x, u.y from t, b.u', first, second)
    expect(answer).toMatchObject({ ok: true, rows: [['9007199254740993', 'z']] })
    expect(answer.ok && answer.tables.map(({ name, rows }) => [name, rows])).toEqual([
      ['t', 1],
      ['b.u', 1],
    ])
  })

  it('changes only a copy, and says that it did', async () => {
    const { answer } = await ask('delete from orders_2026; select count(*) from orders_2026', orders)
    expect(answer).toMatchObject({ ok: true, changes: true, rows: [[0]] })
    expect((await ask('select count(*) from orders_2026', orders)).answer).toMatchObject({
      rows: [[2]],
      changes: false,
    })
  })

  it('returns SQLite’s own error message and the tables if a query is wrong', async () => {
    const { answer } = await ask('select price from orders_2026', orders)
    expect(answer).toMatchObject({ ok: false, error: 'no such column: price', tables: [{ name: 'orders_2026' }] })
    expect((await ask('select', orders)).answer).toMatchObject({ ok: false })
  })

  it.each([
    ['numbers with decimal commas', 'a;b\n1,5;x\n-2,25;y\n', 'a real; "1,5" is 1.5', 'select sum(a) from t', -0.75],
    ['numbers in groups', 'a,b\n"1,200",x\n"3,400.5",y\n', 'a real; "1,200" is 1200', 'select sum(a) from t', 4600.5],
    ['percents', 'a\n50%\n12.5 %\n', 'a real, from percent: 0.5 is 50%', 'select sum(a) from t', 0.625],
    ['days with points', 'a\n3.1.2026\n12.11.2025\n', 'a text, ISO date', 'select max(a) from t', '2026-01-03'],
    ['identifiers of many digits', 'a\n12345678901234567890\n', 'a text', 'select a from t', '12345678901234567890'],
    ['telephone numbers', 'a\n0123\n4567\n', 'a text', 'select max(length(a)) from t', 4],
    ['columns of nothing', 'a,b\n,1\n,2\n', 'a text', 'select count(a) from t', 0],
  ])('reads %s', async (_what, csv, column, query, value) => {
    const { answer } = await ask(query, text('/t.csv', csv))
    expect(answer).toMatchObject({ ok: true, rows: [[value]] })
    expect(answer.ok && answer.tables[0]?.columns).toContain(column)
  })

  // Nothing is read as another value than the file has: where two readings are possible, the cells stay text.
  const unclear = 'text, because 1.234 and 1,234 may be decimals or thousands here'
  it.each([
    [
      'points as groups, where another cell proves it',
      'a;b\n1.234;x\n1.234,50;y\n',
      'a real; "1.234,50" is 1234.5',
      2468.5,
    ],
    ['points as groups, where another column proves it', 'a;b\n1.234;0,5\n2.000;1\n', 'a integer', 3234],
    ['points as decimals, where another cell proves it', 'a;b\n1.234;x\n0.5;y\n', 'a real', 1.734],
    ['groups in a tabbed file', 'a\tb\n1,234,567\tx\n1,000\ty\n', 'a integer; "1,234,567" is 1234567', 1235567],
    ['groups with spaces', 'a;b\n1 234,56;x\n850,00;y\n', 'a real; "1 234,56" is 1234.56', 2084.56],
    ['whole groups with spaces of other lengths', 'a;b\n1 234;x\n850;y\n', 'a integer; "1 234" is 1234', 2084],
    ['groups with narrow spaces', 'a;b\n12\u202f345;x\n67\u00a0890;y\n', 'a integer; "12\u202f345" is 12345', 80235],
    [
      'what may be identifiers as text',
      'a;b\n732 829 320;x\n552 100 554;y\n',
      'a text, because "732 829 320" may be a number or a name',
      null,
    ],
    ['telephone numbers in groups as text', 'a;b\n030 123 456;x\n1 234;y\n', 'a text', null],
    ['groups with apostrophes', "a;b\n1'234.50;x\n1’000.00;y\n", 'a real; "1\'234.50" is 1234.5', 2234.5],
    ['groups as in India', 'a,b\n"12,34,567.50",x\n"1,000.00",y\n', 'a real; "12,34,567.50" is 1234567.5', 1235567.5],
    ['brackets as minus', 'a,b\n"(1,234.50)",x\n"2,000.00",y\n', 'a real; "(1,234.50)" is -1234.5', 765.5],
    ['brackets as minus beside whole numbers', 'a,b\n(5),x\n12,y\n', 'a integer; "(5)" is -5', 7],
    ['numbers of a list as text', 'a,b\n(1),x\n(2),y\n', 'a text, because "(1)" may be a number or a name', null],
    ['a minus behind, and the sign for it', 'a,b\n"1,200.00-",x\n−50.00,y\n', 'a real; "1,200.00-" is -1200', -1250],
    ['a currency before', 'a,b\n"$1,234.50",x\n$5.00,y\n', 'a real, in $; "$1,234.50" is 1234.5', 1239.5],
    ['a currency behind', 'a;b\n1.234,50 €;x\n-5,00 €;y\n', 'a real, in €; "1.234,50 €" is 1234.5', 1229.5],
    ['the code of a currency', 'a;b\nCHF 1’200.00;x\nCHF -5.50;y\n', 'a real, in CHF; "CHF 1’200.00" is 1200', 1194.5],
    ['a currency in brackets', 'a,b\n"($1,200.50)",x\n$0.50,y\n', 'a real, in $; "($1,200.50)" is -1200.5', -1200],
    ['kronor, yuan and zloty', 'a;b\n1 200 kr;x\n5 kr;y\n', 'a integer, in kr; "1 200 kr" is 1200', 1205],
    ['several currencies as text', 'a,b\n$5.00,x\n€6.00,y\n', 'a text, because its numbers are in $, €', null],
    [
      'amounts with and without a currency as text',
      'a,b\n$5.00,x\n6.00,y\n',
      'a text, because its numbers are in $, no unit',
      null,
    ],
    ['what may be either with a currency as text', 'a;b\n1.234 €;x\n2.500 €;y\n', `a ${unclear}`, null],
    ['other units as text', 'a,b\n5 kg,x\n6 kg,y\n', 'a text', null],
    ['numbers of articles as text', 'a,b\nABC 12,x\nABC 13,y\n', 'a text', null],
    ['ranges, dates and times as text', 'a;b\n1-2;x\n3-4;y\n', 'a text', null],
    ['times as text', 'a;b\n10:30;x\n11:45;y\n', 'a text', null],
    [
      'percents with spaces, commas and brackets',
      'a;b\n12,5 %;x\n(2,5 %);y\n',
      'a real, from percent: 0.5 is 50%',
      0.1,
    ],
    ['quoted decimal commas', 'a,b\n"1,5",x\n"2,25",y\n', 'a real; "1,5" is 1.5', 3.75],
    ['percents with groups', 'a,b\n"1,200.5%",x\n50 %,y\n', 'a real, from percent: 0.5 is 50%', 12.505],
    ['what may be either as text', 'a;b\n1.234;x\n2.500;y\n', `a ${unclear}`, null],
    ['both at once as text', 'a;b\n1,5;x\n2.75;y\n', 'a text', null],
    ['telephone numbers with their plus', 'a,b\n+491701234,x\n+3312345,y\n', 'a text', null],
    ['codes that look like powers as text', 'a,b\n1E5,x\n2E7,y\n', 'a text', null],
    ['powers as numbers', 'a,b\n1.5e3,x\n1e-05,y\n', 'a real', 1500.00001],
    ['words for no value as NULL, and says so', 'a,b\n4,x\nNA,y\n-,z\n6,w\n', 'a integer; "NA", "-" is NULL', 10],
    ['errors of a workbook as NULL', 'a,b\n4,x\n#DIV/0!,y\n', 'a integer; "#DIV/0!" is NULL', 4],
    ['names beside NA as text', 'a,b\nNA,x\nBO,y\n', 'a text', null],
  ])('reads %s', async (_what, csv, column, sum) => {
    const { answer } = await ask('select sum(a), min(typeof(a)) from t where a is not null', text('/t.csv', csv))
    expect(answer.ok && answer.tables[0]?.columns[0]).toBe(column)
    if (sum === null) expect(answer).toMatchObject({ rows: [[expect.anything(), 'text']] })
    else expect(answer.ok && answer.rows[0]?.[0]).toBeCloseTo(sum, 9)
  })

  it.each(['utf-16le', 'utf-16be'] as const)('reads %s with its mark, and pipes between cells', async (encoding) => {
    const { data } = encodeText('name|sum\nZoë|4\n', { encoding, markBytes: 2 })
    const { answer } = await ask('select name, sum from t', { path: '/t.csv', data })
    expect(answer).toMatchObject({ columns: ['name', 'sum'], rows: [['Zoë', 4]] })
  })

  it.each([
    [
      'Windows-1252',
      [0x53, 0x74, 0x72, 0x61, 0xdf, 0x65, 0x3b, 0x6e, 0x0a, 0x4d, 0xfc, 0x6c, 0x6c, 0x3b, 0x31],
      'Straße',
    ],
    ['Windows-1251', [0xc3, 0xee, 0xf0, 0xee, 0xe4, 0x3b, 0x6e, 0x0a, 0xce, 0xec, 0xf1, 0xea, 0x3b, 0x31], 'Город'],
    ['Windows-1250', [0x4d, 0x69, 0x65, 0x9c, 0xe6, 0x3b, 0x6e, 0x0a, 0xa3, 0xf3, 0x64, 0x9f, 0x3b, 0x31], 'Mieść'],
  ])('reads the names of columns in %s', async (_encoding, bytes, name) => {
    const { answer } = await ask(`select "${name}", n from t`, { path: '/t.csv', data: Uint8Array.from(bytes) })
    expect(answer).toMatchObject({ ok: true, columns: [name, 'n'] })
  })

  it('takes the separator that the first line names', async () => {
    const { answer } = await ask('select sum(sum) from t', text('/t.csv', 'sep=|\r\nname|sum\r\na;b,c|4\r\nd|5\r\n'))
    expect(answer).toMatchObject({ rows: [[9]], tables: [{ columns: ['name text', 'sum integer'] }] })
  })

  it('leaves out a title above the table, and says so; a mark of UTF-8 is no part of a name', async () => {
    const { answer } = await ask(
      'select sum(sum) from t',
      text('/t.csv', '\ufeffSales of 2026,,\n\nname,sum,x\na,1,y\nb,2,z\n'),
    )
    expect(answer).toMatchObject({
      rows: [[3]],
      tables: [{ columns: ['name text', 'sum integer', 'x text'], note: 'The first row was left out as a title.' }],
    })
  })

  it('says that a quotation mark is not closed', async () => {
    const { answer } = await ask('select count(*) from t', text('/t.csv', 'a,b\n1,"x\n2,y\n3,z\n'))
    expect(answer).toMatchObject({ tables: [{ note: expect.stringContaining('quotation mark') as string }] })
  })

  it('keeps all digits of numbers in JSON, and nested values as JSON', async () => {
    const { answer } = await ask(
      'select id, note, inner from t',
      text('/t.jsonl', '{"id":12345678901234567890,"note":"n: 12345678901234567890","inner":{"a":[1,{"b":2}]}}\n'),
    )
    expect(answer).toMatchObject({
      rows: [['12345678901234567890', 'n: 12345678901234567890', '{"a":[1,{"b":2}]}']],
    })
  })

  it('reads a database with views, blobs and a journal ahead of it, and names what can’t be read', async () => {
    const db = new sql.Database()
    db.run(`create table t (x integer, b blob); insert into t values (1, x'0102'), (2, null);
      create view good as select x * 2 as y from t; create table gone (z); create view bad as select z from gone;
      pragma writable_schema = 1; delete from sqlite_master where name = 'gone'`)
    const data = db.export()
    data[18] = data[19] = 2
    const { answer } = await ask('select sum(y) as y, (select b from t limit 1) as b from good', {
      path: '/w.db',
      data,
    })
    expect(answer).toMatchObject({ ok: true, rows: [[6, '2 bytes']] })
    const notes = answer.ok ? answer.tables.map(({ name, rows, note }) => [name, rows, note]) : []
    const wal = 'Changes in a -wal file beside the database are not included.'
    expect(notes).toEqual([
      ['bad', 0, expect.stringMatching(/^It can’t be read: .*gone/)],
      ['good', 2, wal],
      ['t', 2, wal],
    ])
  })

  it('reads 100,000 rows with all of their types', async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `${at},0${at},2026-01-02,"1,234.5",${at % 2 === 0}`)
    const { answer } = await ask(
      'select count(*), sum(id), max(length(zip)), sum(sum), sum(paid) from t',
      text('/t.csv', `id,zip,day,sum,paid\n${lines.join('\n')}\n`),
    )
    expect(answer).toMatchObject({ rows: [[100_000, 4_999_950_000, 6, 123_450_000, 50_000]] })
  })

  it('names columns that have no name, the same name, or quotes in it', async () => {
    const { answer } = await ask('select * from t', text('/t.csv', 'A,a,,"x ""y"""\n1,2,3,4,5\n'))
    expect(answer).toMatchObject({ columns: ['A', 'a_2', 'column_3', 'x "y"', 'column_5'], rows: [[1, 2, 3, 4, 5]] })
  })

  it('treats a first row with numbers as data', async () => {
    const { answer } = await ask('select count(*) from t', text('/t.csv', '1,x\n2,y\n'))
    expect(answer).toMatchObject({ rows: [[2]], tables: [{ note: expect.stringContaining('first row') as string }] })
  })

  it('returns fifty rows for the model, a thousand for users, and the total count', async () => {
    const { answer, shown } = await ask(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i from n',
    )
    expect(answer).toMatchObject({ total: 5000, more: false })
    expect(answer.ok && answer.rows.length).toBe(50)
    expect(shown[0]?.rows.length).toBe(1000)
    expect(shown[0]?.total).toBe(5000)
  })

  it('reads a database with a view that never ends', async () => {
    const db = new sql.Database()
    db.run('create table t (x); insert into t values (1)')
    db.run('create view v as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n')
    const { answer } = await ask('select x from t', { path: '/v.db', data: db.export() })
    expect(answer).toMatchObject({
      rows: [[1]],
      tables: [
        { name: 't', rows: 1 },
        { name: 'v', rows: 100_000 },
      ],
    })
    expect(answer.ok && answer.tables[1]?.note).toBe('A view of 100000 rows or more.')
  })

  it.each([
    ['/t.csv', `${'a,'.repeat(300_000)}a\n1\n`, 'too-large'],
    ['/t.jsonl', `${'['.repeat(200_000)}\n`, 'broken'],
  ])('ends with a reason for %s of no real shape', async (path, content, flaw) => {
    const { answer } = await ask('select count(*) from t', text(path, content))
    expect(answer).toMatchObject({ ok: false, flaw })
  })

  it.each([
    ['digits with spaces', `${'1 '.repeat(200_000)}x`],
    ['groups', `${'1,234'.repeat(100_000)}x`],
    ['brackets', '('.repeat(300_000)],
  ])('reads a cell of %s without an end in time', async (_what, cell) => {
    const since = performance.now()
    const { answer } = await ask('select length(a) from t', text('/t.csv', `a\n"${cell}"\n`))
    expect(answer).toMatchObject({ ok: true, rows: [[cell.length]] })
    expect(performance.now() - since).toBeLessThan(5_000)
  })

  it('stops counting endless rows', async () => {
    const { answer } = await ask('with recursive n(i) as (select 1 union all select i + 1 from n) select i from n')
    expect(answer).toMatchObject({ ok: true, total: 200_000, more: true })
  })

  it('ends a query that needs too much memory with an error message', async () => {
    const { answer } = await ask(
      'select length(group_concat(hex(zeroblob(50000000)))) from (select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8)',
    )
    expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(/memory|too big/) as string })
  })

  it.each([
    ['/t.csv', '', 'no-rows'],
    ['/t.json', '{"a": ', 'broken'],
    ['/t.json', '[]', 'no-rows'],
    ['/t.xlsx', 'no zip', 'broken'],
    ['/t.csv', 'a\u0000b', 'not-a-table'],
  ])('reports a file that is not a table: %s %j', async (path, content, flaw) => {
    expect((await ask('select 1', text(path, content))).answer).toEqual({ ok: false, file: path, flaw })
  })
})
