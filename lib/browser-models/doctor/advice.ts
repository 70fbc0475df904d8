import { browserModelSentence as sentence } from '@/lib/words/browser-models'
import { kindName } from '../kind-names'
import type { Finding, PageFacts, ServerToExamine } from './examine'

/** What is said of a finding: a sentence, and settings that can be pasted, each with where it goes. */
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
      return { ok: true, message: sentence('doctor.models', { count: finding.models.length }), fixes: [] }
    case 'not-allowed':
    case 'unreachable':
    case 'mixed-content':
    case 'local-network-denied':
    case 'local-network-asks':
      return bad(sentence(`doctor.${finding.found}`, of))
    case 'no-cors':
      return bad(sentence('doctor.no-cors', of), corsFixes(kind, origin))
    case 'header-refused': {
      const header = finding.header === 'authorization' ? 'Authorization' : 'Content-Type'
      const proxy = { how: sentence('how.headers'), paste: sentence('fix.headers') }
      return bad(sentence('doctor.header-refused', { ...of, header }), [...corsFixes(kind, origin).slice(0, 1), proxy])
    }
    case 'key-refused':
      return bad(sentence('doctor.key-refused', finding))
    case 'refused':
      return bad(sentence('doctor.refused', finding))
    case 'wrong-path':
      return bad(sentence('doctor.wrong-path', finding))
    case 'wrong-kind':
      return bad(
        sentence('doctor.wrong-kind', {
          is: finding.is === 'openai-compatible' ? sentence('doctor.compatible') : kindName(finding.is),
        }),
      )
    case 'server-error':
      return bad(sentence('doctor.server-error', finding))
  }
}

function corsFixes(kind: ServerToExamine['kind'], origin: string): Advice['fixes'] {
  switch (kind) {
    case 'ollama':
      return [{ how: sentence('how.ollama'), paste: sentence('fix.ollama', { origin }) }]
    case 'lm-studio':
      return [{ how: sentence('how.lm-studio'), paste: sentence('fix.lm-studio') }]
    case 'openai-compatible':
      return [
        { how: sentence('how.llama-cpp'), paste: sentence('fix.llama-cpp', { origin }) },
        { how: sentence('how.vllm'), paste: sentence('fix.vllm', { origin }) },
      ]
  }
}
