import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { pathArgument, textArgument, countIn } from '../argument-summaries'
import { failWith } from '../refuse'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import { normalizePath } from '@/lib/vfs/path'

const maxEntries = 1_000
/** Nod's own folder among the files; see `offload-result.ts`. */
const ownFolder = '.nod'

export const listDirectory = defineTool({
  spec: {
    name: 'list_directory',
    description: 'Lists a folder of this chat’s files: names, kinds and sizes in bytes. The root is "/".',
    vcpCommand: 'ListDirectory',
    vcpParameters: { directoryPath: 'path' },
    schema: z.strictObject({ path: z.string().check(z.describe('absolute path of the folder')) }),
  },
  policy: {
    permission: 'public',
    agentCallable: true,
    capabilities: { files: 'read', network: 'off' },
    paths: pathArgument,
  },
  card: {
    icon: 'folder',
    tags: ['files'],
    summarize(args) {
      const path = textArgument(args, 'path')
      return {
        head: path,
        headIsCode: true,
        sentence: withParts((part) => t('tool.list', { path: part({ code: path }) })),
        body: { kind: 'none' },
      }
    },
    measure: (result) => countIn(result, 'entries', (count) => t('tool.entries', { count })),
  },
  async run({ path }, { vfs }) {
    const listed = await vfs.list(path)
    if (!listed.ok) return failWith(listed.error, vfs, 'folder')
    const normal = normalizePath(path)
    const shown = normal.ok ? normal.value : path
    // The chat's own folder would be noise in every listing of the root; requested by its name it is a normal folder.
    const hidden = shown === '/' && listed.value.some(({ name }) => name === ownFolder)
    const visible = hidden ? listed.value.filter(({ name }) => name !== ownFolder) : listed.value
    const entries = visible.slice(0, maxEntries).map((entry) => ({
      name: entry.name,
      kind: entry.kind,
      ...(entry.kind === 'file' && { size: entry.size }),
    }))
    const left = visible.length - entries.length
    const notes = [
      ...(left > 0 ? [`${left} more entries are not shown.`] : []),
      ...(hidden ? [`/${ownFolder} is not shown: it holds results that were too large to send.`] : []),
    ]
    return { ok: true, result: { path: shown, entries, ...(notes.length > 0 && { note: notes.join(' ') }) } }
  },
})
