import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const page = readFileSync(path.join(root, 'docs/concepts.md'), 'utf8')

const plain = (cell: string) => cell.replaceAll('`', '')

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| originally') && !line.startsWith('| -'))
  .map((line) => {
    const [, theirs = '', ours = '', where = '', why = ''] = line.split('|').map((cell) => cell.trim())
    return { theirs, ours, where: plain(where), why }
  })

/** By these people look: the names that the descriptions give to what they ask for. */
const asked = [
  'ToolContextDef',
  'spliceSystemPrompt',
  'parseResponse',
  'ToolContextBuilder',
  'ToolCallingProtocol',
  'toolParadigm',
  'ParsedToolRequest',
  'ToolCallCycleResult',
  'DetectionResult',
  'containsToolCall',
  'extractJSONBlock',
  'getToolDescriptions',
  'TOOL_DEFINITION',
  'TOOL_REQUEST',
  'vcpCommand',
  'protocolConfig',
  'toolId_methodName',
  'tool_call_result',
  '{{tools}}',
  'client-executor',
  'clientTools',
  'window.eval',
  'enabledTools',
  'isAgentCallable',
  'tags',
  'ToolExecutionResult',
  'ToolExecuteStatus',
  'execution_rejected',
  'result_rejected',
  'awaiting_approval',
  'rawArgs',
  'ToolCallConfig',
  'requireConfirmation',
  'parallelExecution',
  'maxIterations',
  'timeout',
  'ToolChain',
  'ApprovalUIAdapter',
  'showToolResultApproval',
  'requireResultApproval',
  'SENSITIVE',
  'ToolCallRenderer',
  'useMessage',
  'runtime.append',
  'MessageRole',
  'app/api/chat/route.ts',
  'tool-calling-tester',
]

describe('docs/concepts.md', () => {
  it.each(rows)('says where it is: $theirs → $ours', ({ ours, where }) => {
    expect(existsSync(path.join(root, where))).toBe(true)
    const name = plain(ours).split('.').at(-1) ?? ''
    expect(readFileSync(path.join(root, where), 'utf8')).toMatch(new RegExp(String.raw`\b${name}\b`))
  })

  it('gives the reason wherever the name is another', () => {
    const silent = rows.filter(
      ({ theirs, ours, why }) => why === '' && !theirs.replaceAll('`', '').includes(ours.replaceAll('`', '')),
    )
    expect(silent.map(({ theirs }) => theirs)).toEqual([])
  })

  it('knows the terms by which people look', () => {
    expect(asked.filter((term) => !rows.some(({ theirs }) => theirs.includes(term)))).toEqual([])
  })
})
