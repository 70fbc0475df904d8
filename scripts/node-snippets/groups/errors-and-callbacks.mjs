const told = (calls) =>
  `const fs = require('fs')\nconst out = []\nconst t = (f) => { try { f(); out.push('fine') } catch (e) { out.push([e.code, e.message, e.syscall ?? null, e.errno ?? null, e.name]) } }\n${calls}\nreturn out`
const files = { 'a.txt': 'x', 'd/inner.txt': 'y', 'e.txt': 'z' }

export const errorsAndCallbacks = [
  {
    name: 'nothing there',
    files,
    code: told(
      `t(() => fs.readFileSync('no.txt')); t(() => fs.statSync('no')); t(() => fs.lstatSync('no')); t(() => fs.readdirSync('no')); t(() => fs.unlinkSync('no')); t(() => fs.accessSync('no')); t(() => fs.rmSync('no')); t(() => fs.rmdirSync('no')); t(() => fs.openSync('no')); t(() => fs.truncateSync('no')); t(() => fs.utimesSync('no', 1, 1)); t(() => fs.chmodSync('no', 0o600))`,
    ),
  },
  {
    name: 'no folder to write in',
    files,
    code: told(
      `t(() => fs.writeFileSync('no/x', '1')); t(() => fs.appendFileSync('no/x', '1')); t(() => fs.mkdirSync('no/x')); t(() => fs.renameSync('a.txt', 'no/x')); t(() => fs.copyFileSync('a.txt', 'no/x'))`,
    ),
  },
  {
    name: 'a folder where a file is meant',
    files,
    code: told(
      `t(() => fs.readFileSync('d')); t(() => fs.writeFileSync('d', 'x')); t(() => fs.appendFileSync('d', 'x')); t(() => fs.unlinkSync('d')); t(() => fs.rmSync('d')); t(() => fs.copyFileSync('d', 'q')); t(() => fs.copyFileSync('a.txt', 'd')); t(() => fs.truncateSync('d'))`,
    ),
  },
  {
    name: 'a file where a folder is meant',
    files,
    code: told(
      `t(() => fs.readdirSync('a.txt')); t(() => fs.rmdirSync('a.txt')); t(() => fs.writeFileSync('a.txt/x', '1')); t(() => fs.statSync('a.txt/x')); t(() => fs.mkdirSync('a.txt/x')); t(() => fs.mkdirSync('a.txt/x', { recursive: true })); t(() => fs.readFileSync('a.txt/b'))`,
    ),
  },
  {
    name: 'already there',
    files,
    code: told(
      `t(() => fs.mkdirSync('d')); t(() => fs.mkdirSync('a.txt', { recursive: true })); t(() => fs.writeFileSync('a.txt', '1', { flag: 'wx' })); t(() => fs.openSync('a.txt', 'wx')); t(() => fs.copyFileSync('a.txt', 'e.txt', fs.constants.COPYFILE_EXCL))`,
    ),
  },
  {
    name: 'renames that can’t be',
    files,
    code: told(
      `t(() => fs.renameSync('no', 'q')); t(() => fs.renameSync('d', 'a.txt')); t(() => fs.renameSync('a.txt', 'd')); t(() => fs.renameSync('d', 'd/below')); t(() => fs.renameSync('a.txt', 'e.txt/x'))`,
    ),
  },
  {
    name: 'copies that can’t be',
    files,
    code: told(
      `t(() => fs.cpSync('d', 'q')); t(() => fs.cpSync('no', 'q')); t(() => fs.cpSync('d', 'a.txt', { recursive: true })); t(() => fs.cpSync('a.txt', 'd')); t(() => fs.cpSync('a.txt', 'e.txt', { force: false, errorOnExist: true })); t(() => fs.copyFileSync('no', 'q'))`,
    ).replaceAll('e.message', `e.message.replaceAll(/\\bd\\/(?= |$)/g, 'd')`),
  },
  {
    name: 'wrong arguments',
    files,
    code: told(
      `t(() => fs.readFileSync()); t(() => fs.readFileSync(null)); t(() => fs.readFileSync({})); t(() => fs.writeFileSync('o', { a: 1 })); t(() => fs.writeFileSync('o')); t(() => fs.writeFileSync('o', 12)); t(() => fs.readFileSync('a.txt', 'no-such')); t(() => fs.readFileSync('a\\0b')); t(() => fs.readFileSync(''))`,
    ),
  },
  {
    name: 'a descriptor that is closed',
    files,
    code: told(
      `const fd = fs.openSync('a.txt', 'r'); fs.closeSync(fd); t(() => fs.closeSync(fd)); t(() => fs.readSync(fd, Buffer.alloc(1))); t(() => fs.fstatSync(fd))`,
    ),
  },
  {
    name: 'the promise rejects with the same',
    files,
    code: `const fs = require('fs/promises'); const out = []; for (const f of [() => fs.readFile('no'), () => fs.readFile('d'), () => fs.rm('no'), () => fs.rm('d'), () => fs.mkdir('d'), () => fs.access('no'), () => fs.readdir('a.txt'), () => fs.unlink('no'), () => fs.stat('no')]) await f().then(() => out.push('fine'), (e) => out.push([e.code, e.message])); return out`,
  },
  {
    name: 'handle ENOENT with a default',
    code: `const fs = require('fs'); function load(p, d) { try { return JSON.parse(fs.readFileSync(p, 'utf8')) } catch (e) { if (e.code === 'ENOENT') return d; throw e } } return load('settings.json', { theme: 'dark' })`,
  },
  {
    name: 'an error that is not caught',
    code: `const fs = require('fs'); fs.writeFileSync('before.txt', 'kept'); fs.readFileSync('missing.txt', 'utf8')`,
  },
  {
    name: 'error printed by its message',
    code: `const fs = require('fs'); try { fs.readFileSync('nope.json') } catch (err) { console.error('Failed:', err.message); console.log(err.code, err.path) }`,
  },
  {
    name: 'path and dest of an error',
    code: `const fs = require('fs'); try { fs.renameSync('x1', 'x2') } catch (e) { return { ...e } }`,
  },
  {
    name: 'instanceof Error and its name',
    code: `const fs = require('fs'); try { fs.statSync('x') } catch (e) { return [e instanceof Error, e.name, String(e), Object.keys(e)] }`,
  },
  {
    name: 'a callback',
    files,
    code: `const fs = require('fs'); return await new Promise((ok, no) => fs.readFile('a.txt', 'utf8', (e, t) => (e ? no(e) : ok(t))))`,
  },
  {
    name: 'a callback that nobody waits for',
    files,
    code: `const fs = require('fs'); fs.readFile('a.txt', 'utf8', (err, data) => { if (err) throw err; console.log('data:', data); fs.writeFile('copy.txt', data.toUpperCase(), (err) => { console.log('written', err) }) }); console.log('first')`,
  },
  {
    name: 'the callback’s error',
    code: `const fs = require('fs'); fs.readFile('no', (err, data) => { console.log(err.code, err.message, data); fs.stat('no', (err) => { console.log(err.syscall); fs.mkdir('x/y', (err) => console.log(err.message)) }) })`,
  },
  {
    name: 'callbacks of many functions',
    files,
    code: `const fs = require('fs'); const p = (f, ...a) => new Promise((ok) => f(...a, (...r) => ok(r))); console.log(await p(fs.mkdir, 'm')); console.log(await p(fs.exists, 'm')); console.log(await p(fs.readdir, 'd')); console.log(await p(fs.rename, 'a.txt', 'm/a.txt')); console.log(await p(fs.unlink, 'm/a.txt')); console.log(await p(fs.access, 'm')); console.log(await p(fs.rm, 'm', { recursive: true })); return (await p(fs.stat, 'd'))[1].isDirectory()`,
  },
  {
    name: 'util.promisify',
    files,
    code: `const { promisify } = require('util'); const fs = require('fs'); const read = promisify(fs.readFile); const stat = promisify(fs.stat); return [await read('a.txt', 'utf8'), (await stat('d')).isDirectory()]`,
  },
  {
    name: 'promisify of own functions',
    code: `const { promisify, callbackify } = require('node:util'); const later = (n, cb) => setTimeout(() => cb(n < 0 ? new Error('neg') : null, n * 2), 1); const p = promisify(later); const back = await new Promise((ok) => callbackify(async (x) => x + 1)(4, (e, v) => ok(v))); return [await p(4), await p(-1).catch((e) => e.message), back]`,
  },
  {
    name: 'open, read and write by callbacks',
    files,
    code: `const fs = require('fs'); fs.open('n.bin', 'w+', (e, fd) => { fs.write(fd, Buffer.from('hello'), 0, 5, 0, (e, n) => { fs.read(fd, Buffer.alloc(5), 0, 5, 0, (e, n2, buf) => { console.log(typeof fd, n, n2, buf.toString()); fs.fstat(fd, (e, s) => { console.log(s.size); fs.close(fd, () => console.log('closed')) }) }) }) })`,
  },
  {
    name: 'finally and rethrow',
    code: `const fs = require('fs'); function f() { const fd = fs.openSync('t', 'w'); try { fs.writeSync(fd, 'partial'); throw new TypeError('inside') } finally { fs.closeSync(fd) } } try { f() } catch (e) { console.log(e.name, e.message) } return fs.readFileSync('t', 'utf8')`,
  },
  {
    name: 'error with a cause',
    code: `const fs = require('fs/promises'); try { try { await fs.readFile('c.json') } catch (e) { throw new Error('no config', { cause: e }) } } catch (e) { return [e.message, e.cause.code] }`,
  },
  {
    name: 'assert',
    code: `const assert = require('assert'); assert(true); assert.strictEqual(1, 1); assert.deepStrictEqual({ a: [1] }, { a: [1] }); const out = []; for (const f of [() => assert.equal(1, 2), () => assert.deepEqual([1], [2]), () => assert.ok(0, 'zero'), () => assert.throws(() => {})]) try { f() } catch (e) { out.push([e.code, e.name]) } assert.throws(() => { throw new TypeError('x') }, TypeError); await assert.rejects(Promise.reject(new Error('r')), /r/); return out`,
  },
]
