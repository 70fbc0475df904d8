import { errorText } from '@/lib/base/app-error'
import type { PyodideAPI } from 'pyodide'
import { preludeLimits } from '../limits'
import type { ConsoleLevel } from '../sandbox'
import { showText } from '../frame/display-value'
import { createGuestConsole } from '../frame/guest-console'
import { type DisplayKind, createHostCalls, createToolCalls } from '../frame/protocol'
import {
  createPackages,
  type PackagePython,
  startInterpreter,
  type FrameToPython,
  type PythonStart,
  type PythonToFrame,
} from '../frame/python/start-interpreter'
import { lineWriter } from '../frame/python/line-writer'
import { createBlobReader, handIn, notKept as whyNotKept, takeSnapshot } from '../frame/run-files'
import {
  workspaceChanges,
  copyIn,
  CopyRefused,
  type Baseline,
  hideInternalPaths,
  sealFiles,
  type GuestFiles,
} from '../frame/python/workspace-copy'

// Everything that runs in the worker of a Python run. Like prelude.ts it is not a security boundary: the code can
// access all of it. But what it does before `ready` is done before any untrusted code arrives.

const post = self.postMessage.bind(self)
const send = (message: PythonToFrame, transfer: Transferable[] = []) => post(message, { transfer })

const guestConsole = createGuestConsole({
  send: (lines) => send({ type: 'log', lines }),
  later: (task) => setTimeout(task, 30),
  monotonic: () => performance.now(),
})
const calls = createHostCalls(send)
const toolCalls = createToolCalls(send)
const packages = createPackages({
  ask: (id, name) => send({ type: 'asset', id, name }),
  warn: (line) => guestConsole.write('warn', line),
})
function end(ok: boolean, text: string, isJson = false): void {
  guestConsole.flush()
  const most = preludeLimits.resultCharacters
  const cut = text.length > most
  send({ type: 'done', ok, text: cut ? `${text.slice(0, most)}…` : text, isJson: isJson && !cut })
}

let shown = 0
let shownCharacters = 0

/** Throws the message that `display` then prints in the console. */
function show(kind: string, data: string): void {
  shownCharacters += data.length
  if (++shown > preludeLimits.displays) throw new Error(`at most ${preludeLimits.displays} things are shown a run`)
  if (shownCharacters > preludeLimits.displayCharacters) throw new Error('it is too large to be shown')
  send({ type: 'show', kind: kind === 'any' ? showText(data).kind : (kind as DisplayKind), data })
}

/** Makes network functions fail with a message. The frame's policy is what actually blocks the network. */
function closeNetwork(): void {
  // Some of these are constructors, which an arrow function can't be.
  const refuse = function () {
    throw new Error('There is no network here: Python reaches the files of this chat, and nothing else.')
  }
  const closed = { fetch: async () => refuse(), XMLHttpRequest: refuse, WebSocket: refuse }
  for (const [name, value] of Object.entries(closed))
    Object.defineProperty(self, name, { value, configurable: true, writable: true })
  Reflect.deleteProperty(self, 'Worker')
}

interface Started {
  readonly python: PyodideAPI
  readonly files: GuestFiles
  readonly baseline: Baseline
}

let started: Started | null = null

async function prepare(start: PythonStart): Promise<void> {
  const [{ python, snapshot: memory }, snapshot] = await Promise.all([
    startInterpreter(start),
    takeSnapshot(calls.callHost),
  ])
  if (memory !== null) send({ type: 'snapshot', snapshot: memory }, [memory.buffer])
  closeNetwork()
  // Emscripten's own type omits the fields of its nodes.
  const files = python.FS as unknown as GuestFiles
  hideInternalPaths(files)
  const { baseline, leftOut } = copyIn(files, snapshot, createBlobReader(snapshot))
  if (snapshot.access !== 'write') sealFiles(files, snapshot.access)
  for (const path of leftOut) guestConsole.write('warn', `Python can’t see ${path}: it needs that place for itself.`)
  started = { python, files, baseline }
  send({ type: 'ready' })
}

type Runner = (
  code: string,
  show: (kind: string, data: string) => void,
  callTool: (name: string, args: string) => Promise<string>,
  tools: string,
) => Promise<string>

/** Returns `[ok, text]` as JSON: a JavaScript exception would reach the code with a foreign stack trace. */
async function callTool(name: string, args: string): Promise<string> {
  const { ok, text } = await toolCalls.callTool(name, args)
  return JSON.stringify([ok, text])
}

async function run(code: string, tools: readonly string[] | null): Promise<void> {
  if (started === null) return
  const { python, files, baseline } = started
  const writers = (['log', 'error'] satisfies ConsoleLevel[]).map((level) =>
    lineWriter((line) => guestConsole.write(level, line)),
  )
  const [out, err] = writers
  if (out !== undefined) python.setStdout({ write: out.write })
  if (err !== undefined) python.setStderr({ write: err.write })
  await packages.prepare(python as unknown as PackagePython, code)
  const runner = python.globals.get('_nod_run') as Runner
  const [ok, text, isJson] = JSON.parse(await runner(code, show, callTool, JSON.stringify(tools))) as [
    boolean,
    string,
    boolean,
  ]
  await toolCalls.idle()
  for (const writer of writers) writer.flush()
  const { changes, notKept } = workspaceChanges(files, baseline)
  const refused = whyNotKept(await handIn(changes, calls.callHost))
  if (refused === null && notKept.length === 0) return end(ok, text, isJson)
  const sentence = refused ?? `Not all changes of files could be kept:\n${notKept.slice(0, 20).join('\n')}`
  end(false, ok ? `The code ran to its end. ${sentence}` : `${text}\n${sentence}`)
}

self.addEventListener('message', ({ data }: MessageEvent<FrameToPython>) => {
  switch (data.type) {
    case 'start':
      return void prepare(data).catch((thrown: unknown) =>
        end(false, thrown instanceof CopyRefused ? thrown.message : `Python did not start: ${errorText(thrown)}`),
      )
    case 'run':
      return void run(data.code, data.tools ?? null).catch((thrown: unknown) =>
        end(false, `Python stopped: ${errorText(thrown)}`),
      )
    case 'answer':
      return calls.take(data.id, data.answer)
    case 'tool-answer':
      return toolCalls.take(data)
    case 'idle':
      return send({ type: 'idle', n: data.n })
    case 'asset':
      return packages.take(data.id, data.bytes)
  }
})
