'use client'

import { useConversation } from '@/components/context/chat-context'
import { ForeignName, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import { placeholderOf } from '@/lib/shared/secrets/placeholders'
import { useCall } from '../scope/call-scope'
import { CardTrouble, cardSay } from '../styles/card'
import { shortValue, useSecrets } from './use-secrets'

/** The values that replace the placeholders of a waiting call, and where they are sent. */
export default function UsedSecrets() {
  const { entry, tool } = useCall()
  const remote = useConversation((view) => view.tools.find(({ name }) => name === entry.call.name)?.remote)
  const secrets = useSecrets(entry.call.arguments)
  if (secrets === null || secrets.length === 0) return null
  const isRelayed = (remote && nameOfOperatorId(remote.server) !== null) || tool?.policy.needs !== undefined
  if (isRelayed) return <CardTrouble text={t('secrets.not-relayed')} />
  const missing = secrets.find(({ known }) => known === null)
  const network = tool?.policy.capabilities.network ?? 'off'
  return (
    <>
      <div data-part="say" role="note" className={cardSay({ tone: 'muted' }, 'pt-2')}>
        <p className="m-0">
          <SentenceText text={t('secrets.used', { network, host: asUntrusted(remote?.host ?? '') })} />
        </p>
        <ul className="mt-1 max-h-[9rem] overflow-y-auto">
          {secrets.flatMap(({ number, known }) =>
            known ? (
              <li key={number} className="wrap-anywhere">
                <code>{placeholderOf(number)}</code> {t('secrets.kind', { kind: known.kind })}{' '}
                <span title={known.value} className="text-text">
                  <ForeignName text={shortValue(known.value)} />
                </span>
              </li>
            ) : (
              []
            ),
          )}
        </ul>
      </div>
      {missing ? (
        <CardTrouble alert={false} text={t('secrets.unknown', { placeholder: placeholderOf(missing.number) })} />
      ) : null}
    </>
  )
}
