// llama.cpp as WebAssembly, from its package: copied to public/workers at each build, never committed.
import { copyFile, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { wllamaWasm } from '../lib/client/browser-models/wllama/protocol.ts'

const root = path.resolve(import.meta.dirname, '..')
const source = path.join(root, 'node_modules/@wllama/wllama/esm/wasm/wllama.wasm')
const name = `public/workers/${wllamaWasm}`

/** Copies it if it is missing; then returns its path. */
export async function copyWllamaWasm() {
  const target = path.join(root, name)
  const [there, wanted] = await Promise.all([stat(target).catch(() => null), stat(source)])
  if (there?.size === wanted.size) return []
  await mkdir(path.dirname(target), { recursive: true })
  await copyFile(source, target)
  return [name]
}
