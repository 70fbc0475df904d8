import { t } from '@/lib/i18n/t'
import { kindName } from '../browser-model'
import type { Finding, PageFacts, ServerToExamine } from './examine'

/** The advice for a finding: a sentence, and settings to paste, each with where it goes. */
export interface Advice {
  readonly ok: boolean
  readonly message: string
  readonly fixes: readonly { readonly how: string; readonly paste: string }[]
}

export function adviceOf(finding: Finding, { kind, address }: ServerToExamine, { origin }: PageFacts): Advice {
  const of = { server: kindName(kind), address, origin }
  const bad = (message: string, fixes: Advice['fixes'] = []): Advice => ({ ok: false, message, fixes })
  switch (finding.found) {
    case 'models':
      return { ok: true, message: t('doctor.models', { count: finding.models.length }), fixes: [] }
    case 'not-allowed':
    case 'unreachable':
    case 'mixed-content':
    case 'local-network-denied':
    case 'local-network-asks':
      return bad(t(`doctor.${finding.found}`, of))
    case 'no-cors':
      return bad(t('doctor.no-cors', of), corsFixes(kind, origin))
    case 'header-refused': {
      const header = finding.header === 'authorization' ? 'Authorization' : 'Content-Type'
      const proxy = { how: t('how.headers'), paste: t('fix.headers') }
      return bad(t('doctor.header-refused', { ...of, header }), [...corsFixes(kind, origin).slice(0, 1), proxy])
    }
    case 'key-refused':
      return bad(t('doctor.key-refused', finding))
    case 'refused':
      return bad(t('doctor.refused', finding))
    case 'wrong-path':
      return bad(t('doctor.wrong-path', finding))
    case 'wrong-kind':
      return bad(
        t('doctor.wrong-kind', {
          is: finding.is === 'openai-compatible' ? t('doctor.compatible') : kindName(finding.is),
        }),
      )
    case 'server-error':
      return bad(t('doctor.server-error', finding))
  }
}

function corsFixes(kind: ServerToExamine['kind'], origin: string): Advice['fixes'] {
  switch (kind) {
    case 'ollama':
      return [{ how: t('how.ollama'), paste: t('fix.ollama', { origin }) }]
    case 'lm-studio':
      return [{ how: t('how.lm-studio'), paste: t('fix.lm-studio') }]
    case 'openai-compatible':
      return [
        { how: t('how.llama-cpp'), paste: t('fix.llama-cpp', { origin }) },
        { how: t('how.vllm'), paste: t('fix.vllm', { origin }) },
      ]
  }
}
