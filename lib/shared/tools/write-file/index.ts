import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { makeModelMessage, t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { inTurn } from '../offload-result'
import { pathArgument, textArgument, bytesIn } from '../argument-summaries'
import { refuse, failWith } from '../refuse'
import { normalizePath } from '@/lib/vfs/path'

export const writeFile = defineTool({
  spec: {
    name: 'write_file',
    description:
      'Writes a text file of this chat’s files, whole. Creates folders as needed and replaces what was there.',
    vcpCommand: 'WriteFile',
    vcpParameters: { filePath: 'path' },
    schema: z.strictObject({
      path: z.string().check(z.describe('absolute path of the file')),
      content: z.string().check(z.describe('the whole text of the file')),
    }),
  },
  policy: {
    permission: 'moderate',
    agentCallable: true,
    capabilities: { files: 'write', network: 'off' },
    paths: pathArgument,
  },
  card: {
    icon: 'write',
    tags: ['files'],
    showsFirst: 'change',
    summarize(args, look) {
      const path = textArgument(args, 'path')
      const content = textArgument(args, 'content')
      const current = look?.(path)
      const size = new TextEncoder().encode(content).byteLength
      // `undefined` means that the caller does not know whether there is a file; only null means that there is none.
      const there =
        current === undefined
          ? 'unknown'
          : current === null
            ? 'nothing'
            : current.files === undefined
              ? 'file'
              : 'folder'
      return {
        head: path,
        headIsCode: true,
        sentence: withParts((part) =>
          t('tool.write', { size, path: part({ code: path }), there, old: current?.size ?? 0 }),
        ),
        dependsOn: [path],
        opens: path,
        body: { kind: 'diff', path, before: current?.text ?? null, after: content, whole: true },
      }
    },
    measure: (result) => bytesIn(result, 'size'),
    argumentsFor: async (args, { after }) => ({ ...args, content: after }),
  },
  async run({ path, content }, { vfs }) {
    if (!content.isWellFormed()) {
      return refuse('EINVAL', makeModelMessage('told.write-pair'))
    }
    const written = await inTurn(vfs, () => vfs.write(path, new TextEncoder().encode(content)))
    if (!written.ok) return failWith(written.error, vfs, 'file')
    const normal = normalizePath(path)
    const { size, replaced } = written.value
    return { ok: true, result: { path: normal.ok ? normal.value : path, size, replaced } }
  },
})
