import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
export const inRoot = (...parts) => path.join(root, ...parts)

/** The entry of the built server, under a project's folder; started with the pinned Node, it needs nothing else. */
export const serverEntry = (project = root) => path.join(project, '.next/standalone/serve.cjs')
