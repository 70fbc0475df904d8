import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import type { CurrentItem } from '../tool'

function troubleAt(current: CurrentItem | null | undefined): string {
  if (current === null || current === undefined) return ''
  return `, where there is already a ${current.files === undefined ? 'file' : 'folder'}, so this would fail`
}

export const movePath = defineTool({
  name: 'move_path',
  description:
    'Moves or renames a file or a folder of this chat’s files. `to` is the whole new path. Creates folders as needed; ' +
    'never replaces what is there.',
  permission: 'moderate',
  agentCallable: true,
  tags: ['files'],
  vcpCommand: 'MovePath',
  capabilities: { files: 'write', network: 'off' },
  schema: z.strictObject({ from: z.string(), to: z.string() }),
  parameters: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'absolute path of the file or folder' },
      to: { type: 'string', description: 'absolute path that it gets' },
    },
    required: ['from', 'to'],
    additionalProperties: false,
  },
  paths: ({ from, to }) => [from, to].filter((path) => typeof path === 'string'),
  summarize(args, current) {
    const from = typeof args.from === 'string' ? args.from : ''
    const to = typeof args.to === 'string' ? args.to : ''
    return {
      head: `${from} → ${to}`,
      headIsCode: true,
      sentence: ['Move ', { code: from }, ' to ', { code: to }, troubleAt(current)],
      dependsOn: to,
      body: { kind: 'none' },
    }
  },
  async run(args, context) {
    const { runMove } = await import('./run')
    return runMove(args, context)
  },
})
