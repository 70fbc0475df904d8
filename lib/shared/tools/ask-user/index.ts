import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { askLimits, fieldTypes } from './question'

const flag = () => z.optional(z.boolean())

export const askUser = defineTool({
  spec: {
    name: 'ask_user',
    description:
      'Asks the user, who answers in a form. With `choices`: `multiple` for more than one, `other` lets them write instead; ' +
      'with `fields`: a small form; with neither: they write.',
    vcpCommand: 'AskUser',
    schema: z.strictObject({
      question: z.string().check(z.minLength(1), z.maxLength(askLimits.question)),
      choices: z.optional(
        z
          .array(z.string().check(z.minLength(1), z.maxLength(askLimits.choice)))
          .check(z.minLength(1), z.maxLength(askLimits.choices)),
      ),
      multiple: flag(),
      other: flag(),
      fields: z.optional(
        z
          .array(
            z.strictObject({
              name: z.string().check(z.minLength(1), z.maxLength(askLimits.name)),
              type: z.enum(fieldTypes),
              optional: flag(),
            }),
          )
          .check(z.minLength(1), z.maxLength(askLimits.fields)),
      ),
    }),
  },
  policy: {
    // The answer is sent to the model’s provider, so only the user may give it.
    permission: 'sensitive',
    agentCallable: true,
    capabilities: { files: 'none', network: 'off' },
    asksUser: true,
    fromCode: true,
  },
  card: {
    icon: 'ask',
    tags: ['user'],
    summarize({ question }) {
      const [line = ''] = typeof question === 'string' ? question.trim().split('\n') : []
      return {
        head: line.slice(0, 120),
        headIsCode: false,
        sentence: [t('tool.ask')],
        body: { kind: 'arguments' },
      }
    },
  },
  async run(args, { answer }) {
    const { runAskUser } = await loadPart(() => import('./run'))
    return runAskUser(args, answer)
  },
})
