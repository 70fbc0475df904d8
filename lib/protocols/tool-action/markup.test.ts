import { expect, it } from 'vitest'
import { liveCalls } from '../testing/live-calls'
import { testTools } from '../testing/tools'
import { toolAction } from '.'
import { toolContextBuilder } from '../tool-context-builder'

const PARTS = ['<![CDATA[', ']]>', '<content>', '</content>', '</tool_action>', '\n```\n', '\n', 'a', '&lt;', ']']

it('writes a text so that its reader returns it, whatever section or element marks are in it', () => {
  const def = toolContextBuilder.get(toolAction.id)
  for (const a of PARTS)
    for (const b of PARTS)
      for (const c of PARTS) {
        const content = `${a}${b}\n${c}`
        const text = def.formatCalls([{ name: 'write_file', arguments: { path: '/1', content } }])
        const read = liveCalls(def, `${text}\n\nDone.`, testTools).map((call) => call.arguments['content'])
        expect([text, read]).toEqual([text, [content]])
      }
})
