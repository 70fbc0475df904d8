'use client'

import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { Button, IconButton } from '@/components/ui/controls/button'
import { RadioList } from '@/components/ui/forms/radio-list'
import { Wait } from '@/components/ui/page/wait'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { field, hint } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { PastedClient, SignInOffer, SignInProblem, SignInStep } from '@/lib/client/mcp/sign-in/sign-in-steps'
import { openSignInWindow, returnedWith, signInAddresses } from '@/lib/client/wiring/tools/sign-in-window.browser'
import { toolServers } from '@/lib/client/wiring/tools/tool-servers.browser'
import { t } from '@/lib/i18n/t'
import { hostOf } from '@/lib/shared/conversation/settings/tool-server'

type Trouble = SignInProblem | { readonly why: 'no-window' } | { readonly why: 'no-answer' }

export interface SignInDialogProps {
  readonly url: string
  /** The button's action after signing in. */
  readonly then?: 'run' | null
  /** Signed in; the dialog closes. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Signs in to a tool server: shows the window's target, how long the sign-in lasts, and what it requests. */
export function SignInDialog({ url, then = null, onDone, onClose }: SignInDialogProps) {
  const id = useId()
  const host = asUntrusted(hostOf(url))
  const [offer, setOffer] = useState<SignInOffer | null>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [keeps, setKeeps] = useState<'tab' | 'browser'>('tab')
  const [client, setClient] = useState({ id: '', secret: '' })
  const [waits, setWaits] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  useEffect(() => {
    let wanted = true
    void (async () => {
      const answer = await toolServers.signIn(url, { step: 'find', url, ...signInAddresses() })
      if (!wanted) return
      if (!answer.ok) setTrouble({ why: 'no-answer' })
      else if (answer.value.is === 'problem') setTrouble(answer.value.problem)
      else if (answer.value.is === 'found') setOffer(answer.value.offer)
    })()
    return () => {
      wanted = false
    }
  }, [url])

  const isForApps = offer?.way === 'app'
  const needsClient = isForApps || offer?.way === 'pasted' || trouble?.why === 'not-registered'
  const take = async (step: SignInStep) => {
    const answer = await toolServers.signIn(url, step)
    if (answer.ok && answer.value.is !== 'problem') return answer.value
    setTrouble(answer.ok && answer.value.is === 'problem' ? answer.value.problem : { why: 'no-answer' })
    return null
  }
  const signInAsApp = async (begin: SignInStep) => {
    setTrouble(null)
    setWaits(true)
    const done = await take(begin)
    setWaits(false)
    if (done?.is !== 'signed-in') return
    await toolServers.signedIn(url)
    onDone()
  }
  const signIn = async () => {
    const pasted = { id: client.id.trim(), secret: client.secret.trim() }
    const begin: SignInStep = {
      step: 'begin',
      client: needsClient && pasted.id !== '' ? pasted : null,
      keep: keeps === 'browser',
    }
    if (isForApps) return signInAsApp(begin)
    // Opened first, because only the click itself may open a window.
    const opened = openSignInWindow()
    if (!opened) return setTrouble({ why: 'no-window' })
    setTrouble(null)
    setWaits(true)
    const abort = new AbortController()
    running.current = abort
    abort.signal.addEventListener('abort', opened.close, { once: true })
    const started = await take(begin)
    if (started?.is !== 'begun' || abort.signal.aborted) {
      opened.close()
      return setWaits(false)
    }
    const coming = returnedWith(started.state, abort.signal)
    opened.goTo(started.address)
    const returned = await coming
    if (!returned) return undefined
    const done = await take({ step: 'finish', returned })
    if (done?.is !== 'signed-in') return setWaits(false)
    await toolServers.signedIn(url)
    return onDone()
  }
  const cancel = () => {
    running.current?.abort()
    setWaits(false)
  }

  return (
    <Dialog label={labelOf(t('servers.sign-in.title', { host }))} onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <header className="flex items-start">
          <h2 className="me-auto wrap-anywhere" id={`${id}-title`}>
            <SentenceText text={t('servers.sign-in.title', { host })} />
          </h2>
          <IconButton icon="cross" label={t('servers.sign-in.close')} onClick={onClose} />
        </header>
        {offer === null && trouble === null ? <Wait what={t('servers.sign-in.finding')} /> : null}
        {offer === null ? null : (
          <>
            <p className="m-0">
              <SentenceText
                text={t(isForApps ? 'servers.sign-in.about-app' : 'servers.sign-in.about', {
                  host: asUntrusted(offer.host),
                })}
              />
            </p>
            {offer.tokensAt === null ? null : (
              <p className="m-0">
                <SentenceText
                  text={t('servers.sign-in.elsewhere', {
                    host: asUntrusted(offer.host),
                    other: asUntrusted(offer.tokensAt),
                  })}
                />
              </p>
            )}
            <RadioList
              labelledBy={`${id}-title`}
              value={keeps}
              choices={(['tab', 'browser'] as const).map((value) => ({
                value,
                label: t(`servers.sign-in.keep.${value}`),
                hint: t(`servers.sign-in.keep-hint.${value}`),
              }))}
              onChange={setKeeps}
            />
            {offer.scopes.length === 0 ? null : (
              <p className="m-0 text-sm wrap-anywhere">
                <SentenceText text={t('servers.sign-in.scopes', { scopes: offer.scopes.map(asUntrusted) })} />
              </p>
            )}
            {needsClient ? <ClientFields offer={offer} client={client} onChange={setClient} /> : null}
          </>
        )}
        {trouble === null || trouble.why === 'not-registered' ? null : (
          <p className="m-0 wrap-anywhere text-danger" role="alert">
            <SentenceText text={troubleWords(trouble, hostOf(url))} />
          </p>
        )}
        {waits ? <Wait what={t('servers.sign-in.waiting', { host: asUntrusted(offer?.host ?? '') })} /> : null}
        <DialogFoot>
          {waits ? (
            <Button onClick={cancel}>{t('servers.sign-in.cancel')}</Button>
          ) : (
            <>
              <Button onClick={onClose}>{t('servers.sign-in.cancel')}</Button>
              <Button look="ink" type="submit" disabled={offer === null}>
                {t(then === 'run' ? 'servers.sign-in.submit-run' : 'servers.sign-in.submit')}
              </Button>
            </>
          )}
        </DialogFoot>
      </form>
    </Dialog>
  )
}

interface ClientFieldsProps {
  readonly offer: SignInOffer
  readonly client: PastedClient
  readonly onChange: (client: PastedClient) => void
}

/** The client that the user registered at the authorization server. */
function ClientFields({ offer, client, onChange }: ClientFieldsProps) {
  const id = useId()
  const host = asUntrusted(offer.host)
  const props = { className: field({}, 'font-mono text-mono'), autoComplete: 'off', spellCheck: false }
  return (
    <>
      <label className="grid gap-1">
        {t('servers.sign-in.client-id')}
        <input
          {...props}
          required
          aria-describedby={offer.way === 'app' ? undefined : `${id}-id`}
          value={client.id}
          onChange={(event) => onChange({ ...client, id: event.target.value })}
        />
        {offer.way === 'app' ? null : (
          <small className={hint({}, 'wrap-anywhere')} id={`${id}-id`}>
            <SentenceText
              text={t('servers.sign-in.client-id-hint', {
                host,
                address: asUntrusted(signInAddresses().redirectTo),
              })}
            />
          </small>
        )}
      </label>
      <label className="grid gap-1">
        {t('servers.sign-in.secret', { needed: offer.needsSecret ? 'yes' : 'no' })}
        <input
          {...props}
          type="password"
          required={offer.needsSecret}
          aria-describedby={`${id}-secret`}
          value={client.secret}
          onChange={(event) => onChange({ ...client, secret: event.target.value })}
        />
        <small className={hint({}, 'wrap-anywhere')} id={`${id}-secret`}>
          <SentenceText text={t('servers.sign-in.secret-hint', { host: asUntrusted(offer.tokensAt ?? offer.host) })} />
        </small>
      </label>
    </>
  )
}

function troubleWords(trouble: Trouble, server: string): string {
  switch (trouble.why) {
    case 'no-window':
    case 'wrong-state':
      return t(`servers.sign-in.problem.${trouble.why}`)
    case 'no-answer':
      return t('servers.sign-in.problem.no-answer', { host: asUntrusted('host' in trouble ? trouble.host : server) })
    case 'not-described':
    case 'wrong-resource':
      return t(`servers.sign-in.problem.${trouble.why}`, { host: asUntrusted(server) })
    case 'unreached':
    case 'blocked':
    case 'insecure':
    case 'no-pkce':
    case 'bad-key':
    case 'wrong-issuer':
    case 'not-registered':
    case 'denied':
      return t(`servers.sign-in.problem.${trouble.why}`, { host: asUntrusted(trouble.host) })
    case 'refused':
      return t('servers.sign-in.problem.refused', {
        host: asUntrusted(trouble.host),
        message: asUntrusted(trouble.message),
      })
  }
}
