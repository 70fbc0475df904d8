const tree = { 'src/a.js': '1', 'src/lib/b.js': '22', 'src/lib/deep/c.js': '333', 'src/readme.md': '#', 'top.txt': 't' }

export const foldersAndMoves = [
  { name: 'list a folder', files: tree, code: `const fs = require('fs'); return fs.readdirSync('src').sort()` },
  {
    name: 'list with kinds',
    files: tree,
    code: `const fs = require('fs'); return fs.readdirSync('src', { withFileTypes: true }).map((d) => [d.name, d.isDirectory(), d.isFile(), d.isSymbolicLink(), d.parentPath]).sort()`,
  },
  {
    name: 'list recursively',
    files: tree,
    code: `const fs = require('fs'); return fs.readdirSync('src', { recursive: true }).sort()`,
  },
  {
    name: 'list recursively with kinds',
    files: tree,
    code: `const fs = require('fs'), path = require('path'); return fs.readdirSync('src', { recursive: true, withFileTypes: true }).filter((d) => d.isFile()).map((d) => path.join(d.parentPath, d.name)).sort()`,
  },
  {
    name: 'walk by hand',
    files: tree,
    code: `const fs = require('fs'), path = require('path')\nfunction walk(dir) { return fs.readdirSync(dir).flatMap((n) => { const p = path.join(dir, n); return fs.statSync(p).isDirectory() ? walk(p) : [p] }) }\nreturn walk('.').sort()`,
  },
  {
    name: 'walk by an async generator',
    files: tree,
    code: `const { readdir } = require('fs/promises'), { resolve, relative } = require('path')\nasync function* files(dir) { for (const d of await readdir(dir, { withFileTypes: true })) { const r = resolve(dir, d.name); if (d.isDirectory()) yield* files(r); else yield r } }\nconst all = []; for await (const f of files('.')) all.push(relative(process.cwd(), f)); return all.sort()`,
  },
  {
    name: 'mkdir, nested and again',
    code: `const fs = require('fs'); const made = fs.mkdirSync('a/b/c', { recursive: true }); const again = fs.mkdirSync('a/b/c', { recursive: true }); const abs = fs.mkdirSync(require('path').resolve('x/y'), { recursive: true }); return [made, again ?? null, abs, fs.existsSync('a/b')]`,
  },
  {
    name: 'mkdir unless it exists',
    code: `const fs = require('fs'); const dir = './output'; if (!fs.existsSync(dir)) { fs.mkdirSync(dir) } fs.writeFileSync(dir + '/r.txt', 'r'); return fs.readdirSync(dir)`,
  },
  {
    name: 'stat a file',
    files: { 'a.txt': 'hello' },
    code: `const fs = require('fs'); const s = fs.statSync('a.txt'); return [s.size, s.isFile(), s.isDirectory(), s.mtime instanceof Date, typeof s.mtimeMs, s.mtimeMs <= Date.now(), (s.mode & 0o777).toString(8)]`,
  },
  {
    name: 'stat a folder',
    files: tree,
    code: `const fs = require('fs'); const s = fs.lstatSync('src'); return [s.isFile(), s.isDirectory(), s.isSymbolicLink()]`,
  },
  {
    name: 'stat without an entry',
    code: `const fs = require('fs'); return [fs.statSync('no', { throwIfNoEntry: false }) ?? 'nothing', fs.existsSync('no')]`,
  },
  {
    name: 'bigint stats',
    files: { 'a.txt': 'hello' },
    code: `const fs = require('fs'); const s = fs.statSync('a.txt', { bigint: true }); return [typeof s.size, String(s.size), typeof s.mtimeNs]`,
  },
  {
    name: 'utimes',
    files: { 'a.txt': 'x' },
    code: `const fs = require('fs'); fs.utimesSync('a.txt', new Date('2020-01-01'), new Date('2021-02-03T04:05:06Z')); return fs.statSync('a.txt').mtime.toISOString()`,
  },
  {
    name: 'chmod',
    files: { 'run.sh': '#!/bin/sh' },
    code: `const fs = require('fs'); fs.chmodSync('run.sh', 0o755); return (fs.statSync('run.sh').mode & 0o777).toString(8)`,
  },
  {
    name: 'the newest file',
    files: { 'a.txt': '1', 'b.txt': '2' },
    code: `const fs = require('fs'); fs.utimesSync('a.txt', 1e9, 1e9); return fs.readdirSync('.').map((n) => ({ n, t: fs.statSync(n).mtimeMs })).sort((x, y) => y.t - x.t)[0].n`,
  },
  {
    name: 'sizes of a tree',
    files: tree,
    code: `const fs = require('fs'), path = require('path'); const size = (p) => { const s = fs.statSync(p); return s.isDirectory() ? fs.readdirSync(p).reduce((t, n) => t + size(path.join(p, n)), 0) : s.size }; return size('.')`,
  },
  {
    name: 'rename a file',
    files: tree,
    code: `const fs = require('fs'); fs.renameSync('top.txt', 'src/moved.txt'); return fs.readdirSync('src').sort()`,
  },
  {
    name: 'rename over a file',
    files: { a: '1', b: '2' },
    code: `const fs = require('fs'); fs.renameSync('a', 'b'); return [fs.readFileSync('b', 'utf8'), fs.existsSync('a')]`,
  },
  {
    name: 'rename a folder',
    files: tree,
    code: `const fs = require('fs'); fs.renameSync('src/lib', 'library'); return [fs.readFileSync('library/deep/c.js', 'utf8'), fs.existsSync('src/lib/b.js')]`,
  },
  {
    name: 'swap two files',
    files: { a: '1', b: '2' },
    code: `const fs = require('fs'); fs.renameSync('a', 'tmp'); fs.renameSync('b', 'a'); fs.renameSync('tmp', 'b'); return fs.readFileSync('a', 'utf8') + fs.readFileSync('b', 'utf8')`,
  },
  {
    name: 'rename many by a pattern',
    files: { 'IMG_1.jpg': 'a', 'IMG_2.jpg': 'b', 'x.txt': 'c' },
    code: `const fs = require('fs'); let n = 0; for (const f of fs.readdirSync('.')) { const m = f.match(/^IMG_(\\d+)\\.jpg$/); if (m) { fs.renameSync(f, 'photo-' + m[1].padStart(3, '0') + '.jpg'); n++ } } console.log(n + ' renamed')`,
  },
  {
    name: 'copy a file',
    files: { 'a.txt': 'x' },
    code: `const fs = require('fs'); fs.copyFileSync('a.txt', 'b.txt'); fs.appendFileSync('b.txt', 'y'); return [fs.readFileSync('a.txt', 'utf8'), fs.readFileSync('b.txt', 'utf8')]`,
  },
  {
    name: 'copy a tree',
    files: tree,
    code: `const fs = require('fs'); fs.cpSync('src', 'backup/src', { recursive: true }); return fs.readdirSync('backup', { recursive: true }).sort()`,
  },
  {
    name: 'copy a tree with a filter',
    files: tree,
    code: `const fs = require('fs/promises'); await fs.cp('src', 'only', { recursive: true, filter: (s) => !s.endsWith('.md') }); return (await fs.readdir('only', { recursive: true })).sort()`,
  },
  {
    name: 'copy without force',
    files: { 'a/x': 'new', 'b/x': 'old' },
    code: `const fs = require('fs'); fs.cpSync('a', 'b', { recursive: true, force: false }); return fs.readFileSync('b/x', 'utf8')`,
  },
  {
    name: 'remove a file',
    files: { a: '1', b: '2' },
    code: `const fs = require('fs'); fs.unlinkSync('a'); fs.rmSync('b'); return fs.readdirSync('.')`,
  },
  {
    name: 'remove a tree',
    files: tree,
    code: `const fs = require('fs'); fs.rmSync('src', { recursive: true, force: true }); fs.rmSync('none', { force: true }); return fs.readdirSync('.')`,
  },
  {
    name: 'empty a folder and fill it again',
    files: { 'dist/old.js': 'o', 'dist/sub/x': 'x' },
    code: `const fs = require('fs'); fs.rmSync('dist', { recursive: true }); fs.mkdirSync('dist'); fs.writeFileSync('dist/new.js', 'n'); return fs.readdirSync('dist')`,
  },
  {
    name: 'rmdir',
    files: { 'keep/x': '1' },
    code: `const fs = require('fs'); fs.mkdirSync('e'); fs.rmdirSync('e'); try { fs.rmdirSync('keep') } catch (e) { console.log(e.code) } return fs.existsSync('e')`,
  },
  {
    name: 'a file where a folder was',
    files: { 'd/x': '1' },
    code: `const fs = require('fs'); fs.rmSync('d', { recursive: true }); fs.writeFileSync('d', 'now a file'); return fs.statSync('d').isFile()`,
  },
  {
    name: 'a temporary folder',
    code: `const fs = require('fs'), os = require('os'), path = require('path'); const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'work-')); fs.writeFileSync(path.join(dir, 't.txt'), 'x'); const n = fs.readdirSync(dir).length; const ok = /work-\\w{6}$/.test(dir); fs.rmSync(dir, { recursive: true }); return [n, ok, fs.existsSync(dir)]`,
  },
  {
    name: 'realpath',
    files: tree,
    code: `const fs = require('fs'), path = require('path'); return [fs.realpathSync('src/../top.txt') === path.resolve('top.txt'), path.basename(await fs.promises.realpath('./src/lib/..'))]`,
  },
  {
    name: 'glob',
    files: tree,
    code: `const fs = require('fs'); return [fs.globSync('**/*.js').sort(), fs.globSync('src/*').sort(), fs.globSync('*.{md,txt}'), fs.globSync('**/*.js', { cwd: 'src/lib' }).sort()]`,
  },
  {
    name: 'glob, asynchronous',
    files: tree,
    code: `const { glob } = require('fs/promises'); const all = []; for await (const f of glob('src/**/*.js', { exclude: (n) => n.includes('deep') })) all.push(f); return all.sort()`,
  },
  {
    name: 'Array.fromAsync of a glob',
    files: tree,
    code: `const { glob } = require('node:fs/promises'); return (await Array.fromAsync(glob('**/*.md'))).sort()`,
  },
  {
    name: 'opendir',
    files: tree,
    code: `const fs = require('fs/promises'); const names = []; for await (const d of await fs.opendir('src')) names.push(d.name); return names.sort()`,
  },
  {
    name: 'process.chdir',
    files: tree,
    code: `const fs = require('fs'), path = require('path'); process.chdir('src/lib'); fs.writeFileSync('here.txt', 'h'); return [path.relative('..', process.cwd()), fs.readdirSync('.').sort(), path.resolve('x').endsWith('src/lib/x'), fs.existsSync('../a.js')]`,
  },
]
