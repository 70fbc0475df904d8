// Runs a snippet in a real Node, in a temporary folder, and returns the outcome: { value, threw, out, err, files, texts
// }. `files` has each file or folder by its path; text unchanged, other bytes as base64, a folder as null. `texts` has
// only files, with any bytes as text, as the page of the browser suite reports them.
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const runner = path.join(import.meta.dirname, 'node-runner.mjs')

/** @param {Uint8Array} bytes */
export function readable(bytes) {
  const text = Buffer.from(bytes).toString('utf8')
  return Buffer.from(text, 'utf8').equals(Buffer.from(bytes)) ? text : `base64:${Buffer.from(bytes).toString('base64')}`
}

async function filesOf(root) {
  const found = {}
  const texts = {}
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const bytes = entry.isDirectory() ? null : await readFile(file)
    found[file.slice(root.length)] = bytes === null ? null : readable(bytes)
    if (bytes !== null) texts[file.slice(root.length)] = new TextDecoder().decode(bytes.subarray(0, 10_000))
  }
  return { files: found, texts }
}

const text = async (stream) => {
  let all = ''
  for await (const part of stream.setEncoding('utf8')) all += part
  return all
}

/** @param {{ form?: string, code: string, files?: Record<string, string> }} snippet */
export async function runInNode({ form = 'script', code, files = {} }) {
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'nod-node-')))
  const root = path.join(top, 'files')
  const own = path.join(top, 'own')
  await mkdir(root)
  await mkdir(own)
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true })
      await writeFile(path.join(root, name), content)
    }
    const file = { script: 'code.js', module: 'code.mjs', ts: 'code.mts', cjs: 'code.cjs' }[form]
    await writeFile(path.join(form === 'script' ? own : root, file), code)
    const args = form === 'script' ? [runner, path.join(own, file)] : [path.join(root, file)]
    const env = { PATH: process.env.PATH, TMPDIR: own, NODE_NO_WARNINGS: '1' }
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    const [out, err, told, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      text(child.stdio[3]),
      new Promise((resolve) => child.once('close', resolve)),
    ])
    clearTimeout(timer)
    if (form !== 'script') await rm(path.join(root, file))
    const plain = (given) => given.replaceAll(`${root}/`, '/').replaceAll(own, '/.scratch').replaceAll(root, '/')
    const result = told === '' ? {} : JSON.parse(told)
    return {
      value: result.value === undefined ? undefined : JSON.parse(plain(JSON.stringify(result.value))),
      threw: result.threw === undefined ? (exitCode === 0 ? null : true) : plain(result.threw),
      out: plain(out),
      err: plain(err),
      ...(await filesOf(root)),
    }
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}
