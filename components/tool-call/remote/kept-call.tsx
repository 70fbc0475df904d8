'use client'

import { useState } from 'react'
import { SignInDialog } from '@/components/servers/sign-in-dialog'
import { Button } from '@/components/ui/controls/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { linkOf } from '@/lib/shared/mcp/server-question'
import { CallEvidence } from '../evidence/call-evidence'
import { useCall } from '../scope/call-scope'
import { CardFoot, footButton, footGo } from '../styles/card'
import { useServerOfTool, wantsSignIn } from '../../servers/use-tool-servers'
import { CardNote, SignInNote } from './sign-in-ended'

/** The server required an action of the user when the call arrived: it did not run, and runs once the user confirms. */
export default function KeptCall() {
  const { entry, summary, decide } = useCall()
  const known = useServerOfTool(entry.call.name)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const first = toOpenFirst(entry.state.status === 'cancelled' ? entry.state.outcome?.said : undefined)
  return (
    <>
      {first ? <OpenFirst {...first} /> : <SignInNote words={t('servers.sign-in.not-run')} />}
      <CallEvidence summary={summary} args={entry.call.arguments} />
      <CardFoot>
        {!first && wantsSignIn(known) ? (
          <Button look="ink" className={footGo} onClick={() => setOpen(true)}>
            {t('servers.sign-in.submit-run')}
          </Button>
        ) : (
          <Button look="go" className={footGo} onClick={decide.runAgain}>
            {t(first ? 'settled.run-again' : 'card.run')}
          </Button>
        )}
        <Button className={footButton} onClick={decide.tell}>
          {t('settled.tell')}
        </Button>
      </CardFoot>
      {isOpen && known ? (
        <SignInDialog
          url={known.server.url}
          then="run"
          onDone={() => {
            close()
            decide.runAgain()
          }}
          onClose={close}
        />
      ) : null}
    </>
  )
}

interface ToOpen {
  readonly host: string
  readonly why: string
  readonly addresses: readonly string[]
}

/** The parameters of `told.remote-open`; null if the call waits for something else. */
function toOpenFirst(
  reasons: readonly { readonly reason: string; readonly values: object }[] | undefined,
): ToOpen | null {
  const values = reasons?.find(({ reason }) => reason === 'told.remote-open')?.values
  const { host, why, addresses } = (values ?? {}) as Readonly<Record<string, unknown>>
  if (typeof host !== 'string' || !Array.isArray(addresses)) return null
  return {
    host,
    why: typeof why === 'string' ? why : '',
    addresses: (addresses as readonly unknown[]).filter((one) => typeof one === 'string'),
  }
}

/** Addresses are shown, and opened only by the user's press. */
function OpenFirst({ host, why, addresses }: ToOpen) {
  return (
    <>
      <CardNote>
        <SentenceText text={t('servers.open-first', { host: asUntrusted(host), count: addresses.length })} />
      </CardNote>
      {why === '' ? null : (
        <blockquote className="mx-3.5 my-2 border-s-2 border-line-strong ps-3 text-md whitespace-pre-line wrap-anywhere narrow:mx-3">
          <ForeignText text={why} reading="prose" />
        </blockquote>
      )}
      <ul className="grid gap-1.5 px-3.5 pt-1 font-mono text-mono narrow:px-3">
        {addresses.map((address, at) => {
          const link = linkOf(address)
          return (
            <li key={at} className="wrap-anywhere">
              {link ? (
                <a
                  className="text-accent-text underline"
                  href={link.href}
                  target="_blank"
                  rel="noreferrer noopener nofollow"
                >
                  <ForeignText text={address} />
                </a>
              ) : (
                <ForeignText text={address} />
              )}
            </li>
          )
        })}
      </ul>
      {addresses.every((address) => linkOf(address) === null) ? <CardNote>{t('servers.asks.no-link')}</CardNote> : null}
    </>
  )
}
