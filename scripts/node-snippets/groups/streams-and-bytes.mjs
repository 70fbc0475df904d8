const lines = { 'log.txt': 'INFO a\nERROR b\nINFO c\nERROR d\n' }

export const streamsAndBytes = [
  {
    name: 'read a stream by chunks',
    files: { 'a.txt': 'x'.repeat(200_000) },
    code: `const fs = require('fs'); let n = 0, chunks = 0; for await (const c of fs.createReadStream('a.txt')) { n += c.length; chunks++ } return [n, chunks]`,
  },
  {
    name: 'read a stream by events',
    files: lines,
    code: `const fs = require('fs'); const s = fs.createReadStream('log.txt', { encoding: 'utf8', highWaterMark: 8 }); let t = ''; s.on('data', (c) => (t += c)); s.on('end', () => console.log(t.length, t.split('\\n').length)); s.on('close', () => console.log('closed'))`,
  },
  {
    name: 'a part of a file',
    files: { 'a.txt': '0123456789' },
    code: `const fs = require('fs'); let t = ''; for await (const c of fs.createReadStream('a.txt', { start: 2, end: 5, encoding: 'utf8' })) t += c; return t`,
  },
  {
    name: 'a stream of what is not there',
    code: `const fs = require('fs'); fs.createReadStream('no.txt').on('error', (e) => console.log(e.code, e.message))`,
  },
  {
    name: 'write a stream',
    code: `const fs = require('fs'); const w = fs.createWriteStream('out.txt'); for (let i = 0; i < 1000; i++) w.write('row ' + i + '\\n'); w.end(); await new Promise((ok) => w.on('finish', ok)); return [fs.statSync('out.txt').size, w.bytesWritten]`,
  },
  {
    name: 'a write stream nobody waits for',
    code: `const fs = require('fs'); const w = fs.createWriteStream('out.txt'); w.write('a'); w.end('b', () => console.log('done'))`,
  },
  {
    name: 'a write stream that is never ended',
    code: `const fs = require('fs'); const w = fs.createWriteStream('out.txt'); w.write('abc'); w.write('def')`,
  },
  {
    name: 'a stream that appends',
    files: { 'log.txt': 'old\n' },
    code: `const fs = require('fs'); const w = fs.createWriteStream('log.txt', { flags: 'a' }); w.write('new\\n'); w.end(); await require('events').once(w, 'close'); return fs.readFileSync('log.txt', 'utf8')`,
  },
  {
    name: 'pipe',
    files: lines,
    code: `const fs = require('fs'); fs.createReadStream('log.txt').pipe(fs.createWriteStream('copy.txt')).on('finish', () => console.log(fs.readFileSync('copy.txt', 'utf8') === fs.readFileSync('log.txt', 'utf8')))`,
  },
  {
    name: 'pipeline with a Transform',
    files: lines,
    code: `const fs = require('fs'); const { pipeline } = require('stream/promises'); const { Transform } = require('stream'); const upper = new Transform({ transform(c, e, cb) { cb(null, c.toString().toLowerCase()) } }); await pipeline(fs.createReadStream('log.txt'), upper, fs.createWriteStream('lower.txt')); return fs.readFileSync('lower.txt', 'utf8')`,
  },
  {
    name: 'pipeline with a generator',
    files: lines,
    code: `const fs = require('fs'); const { pipeline } = require('node:stream/promises'); await pipeline(fs.createReadStream('log.txt', 'utf8'), async function* (src) { for await (const c of src) yield c.replaceAll('ERROR', 'E') }, fs.createWriteStream('o.txt')); return fs.readFileSync('o.txt', 'utf8')`,
  },
  {
    name: 'pipeline by a callback',
    files: lines,
    code: `const fs = require('fs'); const { pipeline, PassThrough } = require('stream'); pipeline(fs.createReadStream('log.txt'), new PassThrough(), fs.createWriteStream('p.txt'), (err) => console.log('err', err ?? null, fs.statSync('p.txt').size))`,
  },
  {
    name: 'Readable.from',
    code: `const { Readable } = require('stream'); const fs = require('fs'); const w = Readable.from(['a\\n', 'b\\n']).pipe(fs.createWriteStream('r.txt')); await new Promise((ok) => w.on('finish', ok)); return fs.readFileSync('r.txt', 'utf8')`,
  },
  {
    name: 'own Writable and Readable',
    code: `const { Readable, Writable } = require('stream'); const got = []; class Sink extends Writable { _write(c, e, cb) { got.push(c.toString()); cb() } } class Src extends Readable { n = 0; _read() { this.push(this.n < 3 ? String(this.n++) : null) } } await require('stream/promises').pipeline(new Src(), new Sink()); return got`,
  },
  {
    name: 'readline by for await',
    files: lines,
    code: `const fs = require('fs'), readline = require('readline'); const rl = readline.createInterface({ input: fs.createReadStream('log.txt'), crlfDelay: Infinity }); let n = 0; for await (const line of rl) if (line.startsWith('ERROR')) n++; return n`,
  },
  {
    name: 'readline by events',
    files: { 'w.txt': 'a\r\nb\nlast' },
    code: `const fs = require('fs'), readline = require('readline'); const rl = readline.createInterface({ input: fs.createReadStream('w.txt') }); rl.on('line', (l) => console.log(JSON.stringify(l))); rl.on('close', () => console.log('end'))`,
  },
  {
    name: 'readline and events.once',
    files: lines,
    code: `const { once } = require('events'); const fs = require('fs'), rl = require('readline').createInterface({ input: fs.createReadStream('log.txt') }); const seen = []; rl.on('line', (l) => seen.push(l)); await once(rl, 'close'); return seen`,
  },
  {
    name: 'lines of a handle',
    files: lines,
    code: `const { open } = require('fs/promises'); const f = await open('log.txt'); const out = []; for await (const l of f.readLines()) out.push(l); return out`,
  },
  {
    name: 'descriptors',
    code: `const fs = require('fs'); const fd = fs.openSync('f.bin', 'w+'); fs.writeSync(fd, 'hello world'); fs.writeSync(fd, 'J', 0); const b = Buffer.alloc(5); const n = fs.readSync(fd, b, 0, 5, 6); fs.ftruncateSync(fd, 8); const size = fs.fstatSync(fd).size; fs.closeSync(fd); return [n, b.toString(), size, fs.readFileSync('f.bin', 'utf8')]`,
  },
  {
    name: 'a FileHandle',
    code: `const fs = require('fs/promises'); const f = await fs.open('h.txt', 'w+'); await f.write('one '); await f.writeFile('two'); const { size } = await f.stat(); const b = Buffer.alloc(3); const r = await f.read(b, 0, 3, 0); await f.truncate(4); await f.close(); return [size, r.bytesRead, b.toString(), await fs.readFile('h.txt', 'utf8'), await f.read(b, 0, 1, 0).catch((e) => e.code)]`,
  },
  {
    name: 'a file in pieces of a descriptor',
    files: { 'a.txt': 'abcdefghij' },
    code: `const fs = require('fs'); const fd = fs.openSync('a.txt', 'r'); const b = Buffer.alloc(4); const out = []; let n; while ((n = fs.readSync(fd, b, 0, 4, null)) > 0) out.push(b.toString('utf8', 0, n)); fs.closeSync(fd); return out`,
  },
  {
    name: 'encodings',
    code: `const fs = require('fs'); fs.writeFileSync('a', 'aGVsbG8=', 'base64'); fs.writeFileSync('b', '68656c6c6f', 'hex'); fs.writeFileSync('c', 'é', 'latin1'); return [fs.readFileSync('a', 'utf8'), fs.readFileSync('b', 'utf8'), fs.readFileSync('c', 'latin1'), fs.readFileSync('c').length, fs.readFileSync('a', 'base64'), fs.readFileSync('b', 'hex'), fs.readFileSync('a', 'ascii'), fs.readFileSync('a', 'base64url')]`,
  },
  {
    name: 'utf16le',
    code: `const fs = require('fs'); fs.writeFileSync('u', 'hé', 'utf16le'); return [fs.readFileSync('u').length, fs.readFileSync('u', 'utf16le'), fs.readFileSync('u', 'ucs2')]`,
  },
  {
    name: 'Buffer, made and compared',
    code: `const b = Buffer.from('hello'); return [b.toString('base64'), Buffer.from('aGk', 'base64url').toString(), Buffer.concat([b, Buffer.from([33])]).toString(), b.equals(Buffer.from('hello')), Buffer.byteLength('é'), b.slice(1, 3).toString(), b.subarray(2).length, Buffer.alloc(3, 'ab').toString(), Buffer.compare(b, Buffer.from('help')), b.indexOf('l'), b.includes('lo'), JSON.stringify(b)]`,
  },
  {
    name: 'Buffer, numbers',
    code: `const b = Buffer.alloc(16); b.writeUInt32BE(0xdeadbeef, 0); b.writeInt16LE(-2, 4); b.writeDoubleLE(1.5, 8); return [b.readUInt32BE(0), b.readInt16LE(4), b.readDoubleLE(8), b.toString('hex')]`,
  },
  {
    name: 'Buffer as it prints',
    code: `console.log(Buffer.from('hi')); console.log([Buffer.from([1])]); console.log({ b: Buffer.alloc(60) })`,
  },
  {
    name: 'base64url there and back',
    code: `const s = Buffer.from('a?b>c~~').toString('base64url'); return [s, Buffer.from(s, 'base64url').toString(), Buffer.from('subjects?').toString('base64url')]`,
  },
  {
    name: 'StringDecoder',
    code: `const { StringDecoder } = require('string_decoder'); const d = new StringDecoder('utf8'); const b = Buffer.from('€'); return [d.write(b.subarray(0, 1)), d.write(b.subarray(1)), d.end()]`,
  },
  {
    name: 'a BMP header by hand',
    code: `const fs = require('fs'); const h = Buffer.alloc(14); h.write('BM'); h.writeUInt32LE(70, 2); h.writeUInt32LE(54, 10); fs.writeFileSync('i.bmp', h); const r = fs.readFileSync('i.bmp'); return [r.toString('ascii', 0, 2), r.readUInt32LE(2)]`,
  },
  {
    name: 'an EventEmitter',
    code: `const EventEmitter = require('events'); class Job extends EventEmitter { run() { this.emit('start', 1); this.emit('done', { ok: true }) } } const j = new Job(); const out = []; j.on('start', (n) => out.push(n)); j.once('done', (d) => out.push(d)); j.run(); j.run(); try { j.emit('error', new Error('boom')) } catch (e) { out.push(e.message) } return [out, j.listenerCount('start'), j.eventNames()]`,
  },
  {
    name: 'watch',
    files: { 'w.txt': '1' },
    code: `const fs = require('fs'); const seen = new Set(); const w = fs.watch('.', (type, name) => seen.add(name)); await new Promise((ok) => setTimeout(ok, 50)); fs.writeFileSync('w.txt', '2'); await new Promise((ok) => setTimeout(ok, 100)); w.close(); return [...seen]`,
  },
]
