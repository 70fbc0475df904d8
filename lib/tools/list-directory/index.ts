import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { pathArgument } from '../path-argument'
import { failWith } from '../vfs-failure'
import { normalizePath } from '@/lib/vfs/path'

const maxEntries = 1_000

export const listDirectory = defineTool({
  name: 'list_directory',
  description: 'Lists a folder of this chat’s files: names, kinds and sizes in bytes. The root is "/".',
  permission: 'public',
  agentCallable: true,
  tags: ['files'],
  vcpCommand: 'ListDirectory',
  capabilities: { files: 'read', network: 'off' },
  schema: z.strictObject({ path: z.string() }),
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'absolute path of the folder' } },
    required: ['path'],
    additionalProperties: false,
  },
  paths: pathArgument,
  summarize(args) {
    const path = typeof args.path === 'string' ? args.path : ''
    return { head: path, headIsCode: true, sentence: ['List the folder ', { code: path }], body: { kind: 'none' } }
  },
  async run({ path }, { vfs }) {
    const listed = await vfs.list(path)
    if (!listed.ok) return failWith(listed.error, vfs, 'folder')
    const normal = normalizePath(path)
    const entries = listed.value.slice(0, maxEntries).map((entry) => ({
      name: entry.name,
      kind: entry.kind,
      ...(entry.kind === 'file' && { size: entry.size }),
    }))
    const left = listed.value.length - entries.length
    return {
      ok: true,
      result: {
        path: normal.ok ? normal.value : path,
        entries,
        ...(left > 0 && { note: `${left} more entries are not shown.` }),
      },
    }
  },
})
