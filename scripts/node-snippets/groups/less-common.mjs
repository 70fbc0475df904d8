export const lessCommon = [
  {
    name: 'readFileSync of fd',
    code: "const fs=require('fs'); fs.writeFileSync('a','hello'); const fd=fs.openSync('a','r'); const t=fs.readFileSync(fd,'utf8'); fs.closeSync(fd); return t",
  },
  {
    name: 'writeFileSync to fd',
    code: "const fs=require('fs'); const fd=fs.openSync('a','w'); fs.writeFileSync(fd,'one'); fs.writeFileSync(fd,'two'); fs.closeSync(fd); return fs.readFileSync('a','utf8')",
  },
  {
    name: 'appendFileSync to fd',
    code: "const fs=require('fs'); const fd=fs.openSync('a','a'); fs.appendFileSync(fd,'one'); fs.appendFileSync(fd,'two'); fs.closeSync(fd); return fs.readFileSync('a','utf8')",
  },
  {
    name: 'pipe to stdout',
    code: "const fs=require('fs'); fs.writeFileSync('a','line1\\nline2\\n'); fs.createReadStream('a').pipe(process.stdout)",
  },
  {
    name: 'readv/writev',
    code: "const fs=require('fs'); const fd=fs.openSync('a','w+'); fs.writevSync(fd,[Buffer.from('ab'),Buffer.from('cd')]); const x=Buffer.alloc(2),y=Buffer.alloc(2); const n=fs.readvSync(fd,[x,y],0); fs.closeSync(fd); return [n,x.toString(),y.toString()]",
  },
  {
    name: 'opendirSync',
    code: "const fs=require('fs'); fs.mkdirSync('d'); fs.writeFileSync('d/x',''); const d=fs.opendirSync('d'); const e=d.readSync(); const n=d.readSync(); d.closeSync(); return [e.name,n,d.path]",
  },
  {
    name: 'Readable helpers',
    code: "const {Readable}=require('stream'); return [await Readable.from([1,2,3]).map(x=>x*2).toArray(), await Readable.from([1,2,3]).filter(x=>x>1).toArray()]",
  },
  {
    name: 'stream consumers',
    code: "const {text,json,buffer}=require('stream/consumers'); const fs=require('fs'); fs.writeFileSync('a','{\"x\":1}'); return [await text(fs.createReadStream('a')), await json(fs.createReadStream('a')), (await buffer(fs.createReadStream('a'))).length]",
  },
  {
    name: 'stats fields',
    code: "const fs=require('fs'); fs.writeFileSync('a','x'); const s=fs.statSync('a'); return [Object.keys(s).sort(), s.constructor.name, s.birthtime instanceof Date]",
  },
  {
    name: 'watchFile',
    code: "const fs=require('fs'); fs.writeFileSync('a','1'); const got=new Promise(ok=>fs.watchFile('a',{interval:20},(c,p)=>ok([c.size,p.size]))); await new Promise(r=>setTimeout(r,60)); fs.writeFileSync('a','123'); const v=await got; fs.unwatchFile('a'); return v",
  },
  {
    name: 'promises.watch',
    code: "const fs=require('fs/promises'); const ac=new AbortController(); const out=[]; const p=(async()=>{ try { for await (const e of fs.watch('.',{signal:ac.signal})) { out.push(e.filename); ac.abort() } } catch(e){ out.push(e.name) } })(); await new Promise(r=>setTimeout(r,50)); await fs.writeFile('a','x'); await p; return out",
  },
  {
    name: 'events on',
    code: "const {on,EventEmitter}=require('events'); const e=new EventEmitter(); setTimeout(()=>{e.emit('x',1); e.emit('x',2)},5); const out=[]; for await (const [v] of on(e,'x')) { out.push(v); if(v===2) break } return out",
  },
  {
    name: 'require of what was just written',
    code: "const fs=require('fs'); fs.writeFileSync('c.json','{\"v\":3}'); return require('./c.json').v",
  },
  {
    name: 'using',
    code: "const fs=require('fs/promises'); { await using fh = await fs.open('a','w'); await fh.write('q') } return await fs.readFile('a','utf8')",
  },
  {
    name: 'TextDecoder stream',
    code: "const fs=require('fs'); fs.writeFileSync('a','é'.repeat(5)); const td=new TextDecoder(); let s=''; for await (const c of fs.createReadStream('a',{highWaterMark:3})) s+=td.decode(c,{stream:true}); return s",
  },
  {
    name: 'drain',
    code: "const fs=require('fs'); const w=fs.createWriteStream('a',{highWaterMark:4}); const ok=w.write('12345678'); await new Promise(r=>w.once('drain',r)); w.end(); await new Promise(r=>w.on('close',r)); return [ok, fs.statSync('a').size]",
  },
  {
    name: 'stream open event',
    code: "const fs=require('fs'); fs.writeFileSync('a','x'); const s=fs.createReadStream('a'); const fd=await new Promise(r=>s.on('open',r)); s.destroy(); return [typeof fd, s.path, s.destroyed]",
  },
  {
    name: 'fs keys',
    code: "const fs=require('fs'); return ['readFileSync','createReadStream','promises','constants','Dirent','Stats','ReadStream','WriteStream','watch','cp','openAsBlob','rmSync','statfsSync','fsyncSync','lutimesSync','readvSync','exists'].filter(k=>!(k in fs))",
  },
  {
    name: 'fsp keys',
    code: "const fs=require('fs/promises'); return ['access','appendFile','chmod','chown','constants','copyFile','cp','glob','lchown','link','lstat','lutimes','mkdir','mkdtemp','open','opendir','readFile','readdir','readlink','realpath','rename','rm','rmdir','stat','statfs','symlink','truncate','unlink','utimes','watch','writeFile'].filter(k=>!(k in fs))",
  },
  {
    name: 'import cjs style exports of fs in module',
    code: "const { default: d, readFileSync } = await import('fs'); return [typeof d.readFileSync, typeof readFileSync, (await import('events')).default.name, typeof (await import('events')).once]",
  },
  {
    name: 'rename missing promise',
    code: "const fs=require('fs/promises'); return await fs.rename('a','b').catch(e=>[e.code,e.syscall,e.path,e.dest])",
  },
  {
    name: 'open bad flag',
    code: "const fs=require('fs'); try { fs.openSync('a','zz') } catch(e) { return [e.code,e.message] }",
  },
  {
    name: 'promisify exists',
    code: "const u=require('util'); const fs=require('fs'); return await u.promisify(fs.exists)('a')",
  },
  {
    name: 'promisify read',
    code: "const u=require('util'); const fs=require('fs'); fs.writeFileSync('a','xyz'); const fd=fs.openSync('a','r'); const r=await u.promisify(fs.read)(fd,Buffer.alloc(3),0,3,0); fs.closeSync(fd); return [r.bytesRead, r.buffer.toString()]",
  },
  {
    name: 'promisify setTimeout',
    code: "const u=require('util'); return await u.promisify(setTimeout)(3,'v')",
  },
]
