import { refusalText, t, textOfKey } from '@/lib/i18n/t'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import type { CallProblem, CallSegment } from './segment'

/** Status word of a call that can’t run, and why, as a sentence. */
export function problemWords(
  call: Pick<CallSegment, 'name'>,
  problem: CallProblem,
): { status: string; sentence: readonly SentencePart[] } {
  switch (problem.code) {
    case 'unknown-tool':
      return {
        status: t('call.no-tool'),
        sentence: withParts((part) => {
          const near = problem.nearest.map((code) => part({ code }))
          const last = near.length > 1 ? (near.pop() ?? '') : ''
          return t('call.no-tool-why', { tool: part({ code: call.name }), near, last })
        }),
      }
    case 'invalid-arguments':
      return {
        status: t('call.misfit'),
        sentence: withParts((part) => {
          const issues = problem.issues.map((issue) => {
            // A part too: it may quote what the model wrote.
            const text = part(refusalText(issue))
            return issue.path === ''
              ? t('call.misfit-all', { issue: text })
              : t('call.misfit-at', { path: part({ code: issue.path }), issue: text })
          })
          return t('call.misfit-why', { issues })
        }),
      }
    case 'disabled-tool':
      return {
        status: t('call.off'),
        sentence: withParts((part) => t('call.off-why', { tool: part({ code: call.name }) })),
      }
    case 'duplicate':
      return { status: t('call.repeat'), sentence: [t('call.repeat-why')] }
  }
}

/** "a Hermes call", as it ends a sentence; a dialect without a name of its own goes by its id. */
export const aCallOf = (dialect: string): string =>
  textOfKey(`dialect.${dialect}`) ?? t('call.of-dialect', { open: SOUNDS_OPEN.test(dialect), dialect })

/** "Hermes", as it stands before the word "format"; a strategy goes by its id. */
export const formatName = (dialect: string): string => textOfKey(`format.${dialect}`) ?? dialect

/** A vowel, or initials whose first is spelled with one: an XML_Tag call, a Native call. */
const SOUNDS_OPEN = /^(?:[AEIO]|[FHLMNRSX](?=[A-Z]))/
