import { err, ok, type Result } from '@/lib/base/result'
import { maxMemoryChars, type MemoryKind, memoryPath, memoryTool } from '@/lib/shared/conversation/settings/project'
import type { MemoryPort, ToolOutcome } from '../tool'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import type { JsonObject } from '@/lib/base/json'
import { makeModelMessage, t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { refuse } from '../refuse'

/** What a call changes. Left out, or undefined: not given. */
export interface MemoryEdit {
  readonly add?: string | undefined
  readonly search?: string | undefined
  readonly replace?: string | undefined
}

type MemoryTrouble = 'nothing' | 'missing' | 'often' | 'same' | 'long'

/** The text after the edit, or why it can't be made. */
export function editedMemory(before: string, { add, search, replace }: MemoryEdit): Result<string, MemoryTrouble> {
  let after = before
  if (search !== undefined) {
    const at = before.indexOf(search)
    if (at < 0) return err('missing')
    if (before.indexOf(search, at + 1) >= 0) return err('often')
    after = before.slice(0, at) + (replace ?? '') + before.slice(at + search.length)
  }
  if (add !== undefined && add.trim() !== '') {
    const begin = after.trimEnd()
    after = `${begin}${begin === '' ? '' : '\n'}${add.trim()}\n`
  } else if (search === undefined) {
    return err('nothing')
  }
  if (after === before) return err('same')
  return after.length > maxMemoryChars ? err('long') : ok(after)
}

/** Changes the current memory; the executor has checked that it equals the one on the card. */
export async function runEditMemory(kind: MemoryKind, edit: MemoryEdit, memory: MemoryPort): Promise<ToolOutcome> {
  const now = await memory.read(kind)
  if (!now.ok) return refuse('memory-failed', makeModelMessage('told.memory-failed', { why: now.error }))
  const edited = editedMemory(now.value.text, edit)
  if (!edited.ok) {
    return refuse(
      `memory-${edited.error}`,
      makeModelMessage('told.memory-edit', { why: edited.error, most: maxMemoryChars }),
    )
  }
  const written = await memory.write(kind, { text: edited.value, version: now.value.version })
  if (!written.ok) return refuse('memory-failed', makeModelMessage('told.memory-failed', { why: written.error }))
  return { ok: true, result: { memory: kind, characters: edited.value.length } }
}

const kindOf = (memory: unknown): MemoryKind => (memory === 'project' ? 'project' : 'user')

/** Models may write anything: values that are no text are left out. */
function editIn({ add, search, replace }: JsonObject): MemoryEdit {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return { add: textOf(add), search: textOf(search), replace: textOf(replace) }
}

export const editMemory = defineTool({
  spec: {
    name: memoryTool,
    description:
      'Changes the notes that the user keeps for later chats. `add` adds a line at the end. With `search`, exact text that ' +
      'occurs once, `replace` takes its place; without `replace` it is removed.',
    vcpCommand: 'EditMemory',
    schema: z.strictObject({
      add: z.optional(z.string().check(z.maxLength(maxMemoryChars))),
      search: z.optional(z.string().check(z.minLength(1), z.maxLength(maxMemoryChars))),
      replace: z.optional(z.string().check(z.maxLength(maxMemoryChars))),
      memory: z.optional(z.enum(['user', 'project']).check(z.describe('left out: the user’s'))),
    }),
  },
  policy: {
    // Every later chat sends the text, so the user sees each change before it is made.
    permission: 'sensitive',
    agentCallable: true,
    offByDefault: () => t('tool.memory-off'),
    capabilities: { files: 'none', network: 'off' },
  },
  card: {
    icon: 'edit',
    tags: ['user'],
    summarize(args, look) {
      const kind = kindOf(args['memory'])
      const path = memoryPath[kind]
      const edit = editIn(args)
      const current = look?.(path)
      const before = current === undefined ? null : (current?.text ?? '')
      const edited = before === null ? null : editedMemory(before, edit)
      const trouble = edited === null || edited.ok ? 'none' : edited.error
      return {
        head: t(kind === 'user' ? 'tool.memory-user' : 'tool.memory-project'),
        headIsCode: false,
        sentence: withParts(() => t('tool.memory-change', { kind, trouble })),
        dependsOn: [path],
        body: edited?.ok
          ? { kind: 'diff', path: memoryFile[kind], before, after: edited.value, whole: true }
          : {
              kind: 'diff',
              path: memoryFile[kind],
              before: edit.search ?? '',
              after: edit.add ?? edit.replace ?? '',
              whole: false,
            },
      }
    },
  },
  async run(args, { memory }) {
    if (!memory) return refuse('no-memory', makeModelMessage('told.memory-none'))
    return runEditMemory(kindOf(args.memory), args, memory)
  },
})

const memoryFile: Readonly<Record<MemoryKind, string>> = { user: 'memory.md', project: 'project/memory.md' }
