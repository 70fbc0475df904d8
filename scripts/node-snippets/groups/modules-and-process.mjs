export const modulesAndProcess = [
  {
    name: 'import fs',
    form: 'module',
    files: { 'a.txt': 'x' },
    code: `import fs from 'fs'\nconsole.log(fs.readFileSync('a.txt', 'utf8'))\nfs.writeFileSync('b.txt', 'y')\n`,
  },
  {
    name: 'import names',
    form: 'module',
    files: { 'a.txt': 'x' },
    code: `import { readFileSync, existsSync, promises as fsp } from 'node:fs'\nimport { join } from 'path'\nconsole.log(existsSync(join('.', 'a.txt')), readFileSync('a.txt', 'utf8'), (await fsp.stat('a.txt')).size)\n`,
  },
  {
    name: 'import fs/promises',
    form: 'module',
    files: { 'a.json': '{"n":2}' },
    code: `import { readFile, writeFile, mkdir } from 'fs/promises'\nconst { n } = JSON.parse(await readFile('a.json', 'utf8'))\nawait mkdir('out', { recursive: true })\nawait writeFile('out/r.json', JSON.stringify({ n: n * 2 }))\nconsole.log(n)\n`,
  },
  {
    name: 'import * and default',
    form: 'module',
    files: { 'a.txt': 'q' },
    code: `import * as fs from 'node:fs'\nimport path, { sep } from 'node:path'\nimport process from 'node:process'\nconsole.log(typeof fs.readFileSync, path.extname('a.txt'), sep, process.cwd() === path.resolve('.'))\n`,
  },
  {
    name: 'import of own modules',
    form: 'module',
    files: {
      'lib/sum.mjs': 'export const sum = (a, b) => a + b\nexport default "d"\n',
      'lib/io.mjs':
        'import fs from "node:fs"\nexport const load = (p) => fs.readFileSync(new URL(p, import.meta.url), "utf8")\n',
      'lib/data.txt': 'inside',
    },
    code: `import def, { sum } from './lib/sum.mjs'\nimport { load } from './lib/io.mjs'\nconsole.log(sum(2, 3), def, load('./data.txt'))\n`,
  },
  {
    name: 'import.meta',
    form: 'module',
    files: { 'a.txt': 'meta' },
    code: `import { fileURLToPath } from 'url'\nimport { dirname, join } from 'path'\nimport { readFileSync } from 'fs'\nconst here = dirname(fileURLToPath(import.meta.url))\nconsole.log(readFileSync(join(here, 'a.txt'), 'utf8'), import.meta.dirname === here, typeof import.meta.filename)\n`,
  },
  {
    name: 'dynamic import',
    form: 'module',
    files: { 'm.mjs': 'export const v = 7\n' },
    code: `const { v } = await import('./m.mjs')\nconst fs = await import('node:fs')\nconst name = 'node:' + 'path'\nconst path = (await import(name)).default\nfs.writeFileSync(path.join('.', 'v.txt'), String(v))\nconsole.log(v, typeof fs.default.readFileSync)\n`,
  },
  {
    name: 'createRequire',
    form: 'module',
    files: { 'd.json': '{"k":1}' },
    code: `import { createRequire } from 'module'\nconst require = createRequire(import.meta.url)\nconsole.log(require('./d.json').k, typeof require('fs').readFileSync)\n`,
  },
  {
    name: 'require of own modules',
    form: 'cjs',
    files: {
      'lib/a.cjs':
        'const b = require("./b.cjs"); module.exports = { twice: (x) => b.add(x, x), dir: require("path").basename(__dirname) }',
      'lib/b.cjs': 'exports.add = (x, y) => x + y',
    },
    code: `const { twice, dir } = require('./lib/a.cjs')\nconsole.log(twice(4), dir)\n`,
  },
  {
    name: 'require of JSON, with a computed path',
    form: 'cjs',
    files: { 'conf/x.json': '{"port":80}' },
    code: `const path = require('path')\nconst conf = require(path.join(__dirname, 'conf', 'x.json'))\nconsole.log(conf.port)\n`,
  },
  {
    name: 'require in a loop',
    form: 'cjs',
    files: { 'p/one.cjs': 'module.exports = 1', 'p/two.cjs': 'module.exports = 2' },
    code: `const fs = require('fs')\nlet sum = 0\nfor (const f of fs.readdirSync('./p')) sum += require('./p/' + f)\nconsole.log(sum)\n`,
  },
  {
    name: 'require with a computed name',
    code: `const names = ['fs', 'path', 'os']; return names.map((n) => typeof require(n))`,
  },
  {
    name: 'require what is not there',
    code: `try { require('left-pad') } catch (e) { console.log(e.code) } try { require('./nope') } catch (e) { console.log(e.code) }`,
  },
  {
    name: 'require.main and main()',
    form: 'cjs',
    code: `async function main() { console.log('ran') }\nif (require.main === module) main()\n`,
  },
  {
    name: 'a module that throws',
    form: 'module',
    files: { 'a.txt': '1' },
    code: `import fs from 'fs'\nfs.writeFileSync('b.txt', '2')\nthrow new Error('stop here')\n`,
  },
  {
    name: 'top-level await',
    form: 'module',
    code: `import { setTimeout as sleep } from 'timers/promises'\nawait sleep(5)\nconst v = await sleep(1, 'value')\nconsole.log(v)\n`,
  },
  {
    name: 'TypeScript',
    form: 'ts',
    files: { 'in.json': '[{"name":"a","n":2}]' },
    code: `import { readFileSync, writeFileSync } from 'node:fs'\ninterface Row { name: string; n: number }\nconst rows: Row[] = JSON.parse(readFileSync('in.json', 'utf8'))\nfunction total(list: readonly Row[]): number { return list.reduce((s: number, r) => s + r.n, 0) }\nwriteFileSync('out.txt', String(total(rows)))\nconsole.log(total(rows) as unknown)\n`,
  },
  {
    name: 'TypeScript with types imported',
    form: 'ts',
    files: { 't.mts': 'export type T = { a: number }\nexport const make = (): T => ({ a: 1 })\n' },
    code: `import { make, type T } from './t.mts'\nimport type { Stats } from 'node:fs'\nimport fs from 'node:fs'\nconst t: T = make()\nconst s: Stats = fs.statSync('t.mts')\nconsole.log(t.a, s.isFile())\n`,
  },
  {
    name: 'process',
    code: `console.log(typeof process.pid, process.argv.length, typeof process.env.PATH === 'undefined' || true, process.platform, typeof process.version, process.exitCode ?? null); const t = process.hrtime(); console.log(Array.isArray(t), typeof process.hrtime.bigint(), typeof process.uptime(), typeof process.memoryUsage().heapUsed)`,
  },
  {
    name: 'process.stdout.write',
    code: `process.stdout.write('a'); process.stdout.write('b\\n'); console.log('c'); process.stdout.write('d')`,
  },
  {
    name: 'process.exit',
    form: 'cjs',
    code: `const fs = require('fs')\nfs.writeFileSync('before.txt', 'b')\nconsole.log('bye')\nprocess.exit(0)\nfs.writeFileSync('after.txt', 'a')\n`,
  },
  {
    name: 'process.exit with a code',
    form: 'cjs',
    code: `const fs = require('fs')\nfs.writeFileSync('x.txt', 'x')\ntry { process.exit(3) } finally { }\nfs.writeFileSync('y.txt', 'y')\n`,
  },
  {
    name: 'process.on exit',
    form: 'cjs',
    code: `process.on('exit', (c) => console.log('exit', c))\nconsole.log('work')\n`,
  },
  {
    name: 'nextTick, promises and timers',
    code: `setTimeout(() => console.log('timeout'), 0); setImmediate(() => console.log('immediate')); Promise.resolve().then(() => console.log('promise')); console.log('sync'); await new Promise((ok) => setTimeout(ok, 30))`.replace(
      "setImmediate(() => console.log('immediate')); ",
      '',
    ),
  },
  {
    name: 'timers that nobody waits for',
    form: 'cjs',
    code: `const fs = require('fs')\nsetTimeout(() => { fs.writeFileSync('late.txt', 'l'); console.log('late') }, 20)\nconst t = setTimeout(() => console.log('never'), 50)\nclearTimeout(t)\nsetTimeout(() => console.log('unheld'), 2000).unref()\nconsole.log('soon')\n`,
  },
  {
    name: 'an interval that stops',
    form: 'cjs',
    code: `let n = 0\nconst t = setInterval(() => { if (++n === 3) { clearInterval(t); console.log(n) } }, 2)\nsetTimeout(() => {}, 60)\n`,
  },
  {
    name: '__dirname and __filename',
    files: { 'd.txt': 'd' },
    code: `const fs = require('fs'), path = require('path'); return [fs.readFileSync(path.join(__dirname, 'd.txt'), 'utf8'), path.basename(__filename), path.dirname(__filename) === __dirname]`,
  },
  {
    name: 'os',
    code: `const os = require('os'); return [os.EOL, typeof os.platform(), typeof os.tmpdir(), Array.isArray(os.cpus()), typeof os.hostname()]`,
  },
  {
    name: 'path',
    code: `const p = require('path'); return [p.join('/a', '..', 'b', './c.txt'), p.basename('/x/y.tar.gz', '.gz'), p.parse('/home/u/f.txt'), p.format({ dir: '/d', name: 'n', ext: '.e' }), p.relative('/a/b/c', '/a/d'), p.normalize('a//b/../c/'), p.isAbsolute('x'), p.posix.sep, p.delimiter, p.matchesGlob('/a/b.js', '/a/*.js')]`,
  },
  {
    name: 'url',
    code: `const { URL, URLSearchParams, fileURLToPath, pathToFileURL } = require('url'); return [new URL('https://a.b/c?d=1').searchParams.get('d'), new URLSearchParams({ q: 'x y' }).toString(), fileURLToPath('file:///tmp/a%20b'), pathToFileURL('/tmp/a b#c').href]`,
  },
  {
    name: 'util',
    code: `const util = require('util'); console.log(util.format('%s is %d years and %j', 'Ann', 30, { a: 1 }), util.inspect({ a: { b: { c: { d: 1 } } } }, { depth: 0 })); return [util.isDeepStrictEqual({ a: [1] }, { a: [1] }), util.types.isDate(new Date()), util.inspect(new Map([[1, 2]]))]`,
  },
  {
    name: 'console.log of values',
    files: { 'a.txt': '1', 'b.txt': '2' },
    code: `const fs = require('fs'); console.log(fs.readdirSync('.')); console.log({ name: 'x', list: [1, 2], nested: { deep: { deeper: { deepest: 1 } } } }); console.log([1.5, 'two', null, undefined, true], new Set([1]), new Map([['k', 'v']])); console.log('%s has %d', 'it', 5, 'extra'); console.error('to stderr'); console.log(new Date(0), /re/g, Symbol('s'), 10n, () => 1, class A {}); console.log([['a', 1], ['b', 2]]); console.log(-0, [undefined], 'multi\\nline')`,
  },
  {
    name: 'a long list printed',
    code: `const fs = require('fs'); console.log(Array.from({ length: 30 }, (_, i) => i)); console.log(Array.from({ length: 120 }, (_, i) => 'item' + i)); console.log(Object.fromEntries(Array.from({ length: 12 }, (_, i) => ['key' + i, 'value number ' + i])))`,
  },
  {
    name: 'crypto',
    code: `const crypto = require('crypto'); return [crypto.randomUUID().length, crypto.randomBytes(8).length, crypto.randomInt(5) < 5, crypto.createHash('sha256').update('a').update('b').digest('hex'), crypto.createHash('sha1').update('x').digest('base64url'), crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a'))]`,
  },
  {
    name: 'querystring and timers/promises',
    code: `const qs = require('querystring'); const { setTimeout: sleep } = require('timers/promises'); await sleep(2); return [{ ...qs.parse('a=1&b=2&a=3') }, qs.stringify({ x: 1, y: ['p', 'q'] })]`,
  },
  {
    name: 'a small build script',
    form: 'module',
    files: { 'src/a.md': '# A\ntext', 'src/b.md': '# B\nmore' },
    code: `import fs from 'node:fs'\nimport path from 'node:path'\nconst out = 'dist'\nfs.rmSync(out, { recursive: true, force: true })\nfs.mkdirSync(out, { recursive: true })\nconst pages = fs.readdirSync('src').filter((f) => f.endsWith('.md')).sort().map((f) => {\n  const [title, ...rest] = fs.readFileSync(path.join('src', f), 'utf8').split('\\n')\n  const name = path.basename(f, '.md') + '.html'\n  fs.writeFileSync(path.join(out, name), \`<h1>\${title.slice(2)}</h1><p>\${rest.join(' ')}</p>\`)\n  return { name, title: title.slice(2) }\n})\nfs.writeFileSync(path.join(out, 'index.json'), JSON.stringify(pages, null, 2) + '\\n')\nconsole.log(\`built \${pages.length} pages\`, pages)\n`,
  },
  {
    name: 'a word count, printed and kept',
    form: 'cjs',
    files: { 'book.txt': 'the cat the dog a cat the end' },
    code: `const fs = require('fs')\nconst counts = new Map()\nfor (const w of fs.readFileSync('book.txt', 'utf8').split(/\\W+/)) counts.set(w, (counts.get(w) || 0) + 1)\nconst top = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, 3)\nconsole.log(top)\nfs.writeFileSync('top.json', JSON.stringify(Object.fromEntries(top)))\n`,
  },
  {
    name: 'a key-value store in a class',
    form: 'cjs',
    code: `const fs = require('fs')\nclass Store {\n  #file\n  constructor(file) { this.#file = file }\n  #all() { return fs.existsSync(this.#file) ? JSON.parse(fs.readFileSync(this.#file, 'utf8')) : {} }\n  set(k, v) { fs.writeFileSync(this.#file, JSON.stringify({ ...this.#all(), [k]: v })) }\n  get(k) { return this.#all()[k] }\n}\nconst s = new Store('db.json')\ns.set('a', 1); s.set('b', { c: 2 })\nconsole.log(s.get('b'), s.get('zzz'))\n`,
  },
]
