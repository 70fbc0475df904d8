const people = 'name,age,city\nAnn,30,Oslo\nBob,25,"New York, NY"\nCid,41,Rome\n'
const sales = 'month,amount\njan,100\nfeb,250\nmar,75\n'

export const readingAndWriting = [
  {
    name: 'read text by readFileSync',
    files: { 'a.txt': 'hello\n' },
    code: `const fs = require('fs'); return fs.readFileSync('a.txt', 'utf8').trim()`,
  },
  {
    name: 'read with an options object',
    files: { 'a.txt': 'hé' },
    code: `const fs = require('node:fs'); return fs.readFileSync('./a.txt', { encoding: 'utf-8' })`,
  },
  {
    name: 'read bytes',
    files: { 'a.txt': 'abc' },
    code: `const fs = require('fs'); const b = fs.readFileSync('a.txt'); console.log(b); return [b.length, b[0], b.toString('hex'), Buffer.isBuffer(b)]`,
  },
  {
    name: 'write, then read',
    code: `const fs = require('fs'); fs.writeFileSync('out.txt', 'one\\ntwo\\n'); return fs.readFileSync('out.txt', 'utf8').split('\\n')`,
  },
  {
    name: 'append lines to a log',
    files: { 'log.txt': 'start\n' },
    code: `const fs = require('fs'); for (let i = 0; i < 5; i++) fs.appendFileSync('log.txt', 'line ' + i + '\\n'); console.log(fs.readFileSync('log.txt', 'utf8'))`,
  },
  {
    name: 'append makes the file',
    code: `const { appendFileSync, readFileSync } = require('fs'); appendFileSync('new.log', 'a'); appendFileSync('new.log', 'b'); return readFileSync('new.log', 'utf-8')`,
  },
  {
    name: 'write with a flag',
    files: { 'a.txt': '1' },
    code: `const fs = require('fs'); fs.writeFileSync('a.txt', '2', { flag: 'a' }); try { fs.writeFileSync('a.txt', '3', { flag: 'wx' }) } catch (e) { console.log(e.code) } return fs.readFileSync('a.txt', 'utf8')`,
  },
  {
    name: 'a JSON file, changed and written back',
    files: { 'data.json': '{"items":[{"id":1,"done":false},{"id":2,"done":true}]}' },
    code: `const fs = require('fs')\nconst data = JSON.parse(fs.readFileSync('data.json', 'utf8'))\ndata.items.push({ id: 3, done: false })\ndata.updated = '2024-01-01'\nfs.writeFileSync('data.json', JSON.stringify(data, null, 2))\nreturn data.items.filter((i) => !i.done).map((i) => i.id)`,
  },
  {
    name: 'a CSV to JSON',
    files: { 'people.csv': people },
    code: `const fs = require('fs')\nconst [head, ...rows] = fs.readFileSync('people.csv', 'utf8').trim().split('\\n')\nconst keys = head.split(',')\nconst list = rows.map((r) => Object.fromEntries(r.match(/("[^"]*"|[^,]+)/g).map((v, i) => [keys[i], v.replace(/"/g, '')])))\nfs.writeFileSync('people.json', JSON.stringify(list))\nconsole.log(list)\nreturn list.length`,
  },
  {
    name: 'sums of a CSV by promises',
    files: { 'sales.csv': sales },
    code: `const fs = require('fs').promises\nconst text = await fs.readFile('sales.csv', 'utf8')\nconst rows = text.trim().split('\\n').slice(1).map((l) => l.split(','))\nconst total = rows.reduce((s, [, n]) => s + Number(n), 0)\nawait fs.writeFile('summary.md', \`# Sales\\n\\nTotal: \${total}\\n\`)\nreturn total`,
  },
  {
    name: 'many small files',
    code: `const fs = require('fs'); fs.mkdirSync('parts'); for (let i = 0; i < 50; i++) fs.writeFileSync(\`parts/p\${String(i).padStart(2, '0')}.txt\`, 'x'.repeat(i)); return fs.readdirSync('parts').map((f) => fs.statSync('parts/' + f).size).reduce((a, b) => a + b)`,
  },
  {
    name: 'count words of all files',
    files: { 'a.md': 'one two three', 'b.md': 'four five', 'c.txt': 'no' },
    code: `const fs = require('fs'), path = require('path')\nconst counts = {}\nfor (const f of fs.readdirSync('.').filter((f) => path.extname(f) === '.md').sort()) counts[f] = fs.readFileSync(f, 'utf8').split(/\\s+/).length\nconsole.table && console.log(counts)\nreturn counts`,
  },
  {
    name: 'replace in place',
    files: { 'conf.ini': 'port=80\nhost=old\n' },
    code: `const fs = require('fs'); const t = fs.readFileSync('conf.ini', 'utf8'); fs.writeFileSync('conf.ini', t.replace(/host=.*/, 'host=new')); return fs.existsSync('conf.ini')`,
  },
  {
    name: 'Promise.all over files',
    files: { 'a.txt': '1', 'b.txt': '2', 'c.txt': '3' },
    code: `const { readFile } = require('fs/promises'); return (await Promise.all(['a', 'b', 'c'].map((n) => readFile(n + '.txt', 'utf8')))).map(Number)`,
  },
  {
    name: 'appends at once are all kept',
    code: `const fs = require('fs/promises'); await Promise.all(Array.from({ length: 30 }, (_, i) => fs.appendFile('log', i + ','))); const kept = (await fs.readFile('log', 'utf8')).split(',').sort((a, b) => a - b); await fs.writeFile('log', kept.join()); return kept.length`,
  },
  {
    name: 'write an ArrayBuffer view and a DataView',
    code: `const fs = require('fs'); fs.writeFileSync('b.bin', new Uint16Array([1, 256])); const v = new DataView(new ArrayBuffer(4)); v.setFloat32(0, 1.5); fs.writeFileSync('v.bin', v); return [...fs.readFileSync('b.bin'), ...fs.readFileSync('v.bin')]`,
  },
  {
    name: 'truncate, shorter and longer',
    files: { 'a.txt': 'abcdef' },
    code: `const fs = require('fs'); fs.truncateSync('a.txt', 3); console.log(fs.readFileSync('a.txt', 'utf8')); fs.truncateSync('a.txt', 5); console.log(JSON.stringify(fs.readFileSync('a.txt', 'utf8'))); fs.truncateSync('a.txt'); return fs.statSync('a.txt').size`,
  },
  {
    name: 'an async iterable as data',
    code: `const fs = require('fs/promises'); async function* parts() { yield 'a'; yield 'b'; yield 'c' } await fs.writeFile('out.txt', parts()); return fs.readFile('out.txt', 'utf8')`,
  },
  {
    name: 'write by URL',
    files: { 'a b.txt': 'spaced' },
    code: `const fs = require('fs'); const { pathToFileURL } = require('url'); const u = pathToFileURL('a b.txt'); return [fs.readFileSync(u, 'utf8'), u.pathname.endsWith('/a%20b.txt')]`,
  },
  {
    name: 'a byte order mark',
    files: { 'bom.csv': '\uFEFFa,b\n1,2\n' },
    code: `const fs = require('fs'); let t = fs.readFileSync('bom.csv', 'utf8'); console.log(t.charCodeAt(0)); if (t.charCodeAt(0) === 0xfeff) t = t.slice(1); return t.split('\\n')[0]`,
  },
  {
    name: 'unicode names and contents',
    code: `const fs = require('fs'); fs.writeFileSync('naïve ☕.txt', '日本語 👍🏽'); return [fs.readdirSync('.'), fs.readFileSync('naïve ☕.txt', 'utf8').length, fs.statSync('naïve ☕.txt').size]`,
  },
  {
    name: 'NDJSON',
    files: { 'events.ndjson': '{"t":1}\n{"t":2}\n\n{"t":3}\n' },
    code: `const fs = require('fs'); const rows = fs.readFileSync('events.ndjson', 'utf8').split('\\n').filter(Boolean).map(JSON.parse); return rows.reduce((s, r) => s + r.t, 0)`,
  },
  {
    name: 'an abort signal',
    files: { 'a.txt': 'x' },
    code: `const fs = require('fs/promises'); try { await fs.readFile('a.txt', { signal: AbortSignal.abort() }); return 'read' } catch (e) { return e.name }`,
  },
  {
    name: 'a checksum of a file',
    files: { 'a.txt': 'hello world' },
    code: `const fs = require('fs'), crypto = require('crypto'); const d = fs.readFileSync('a.txt'); return ['md5', 'sha1', 'sha256', 'sha512'].map((h) => crypto.createHash(h).update(d).digest('hex').slice(0, 16)).concat(crypto.createHmac('sha256', 'key').update(d).digest('base64'))`,
  },
]
