import { withBase } from '@/lib/base/base-path'
import { openChannel } from '@/lib/base/features.browser'
import { clientDocument, returnPage, signInChannel } from '@/lib/client/mcp/sign-in/returned'
import type { SignInReturn } from '@/lib/client/mcp/sign-in/sign-in-steps'

/** How authorization servers identify this page. */
export const signInAddresses = () => {
  const { origin, protocol } = window.location
  return {
    redirectTo: `${origin}${withBase(returnPage)}`,
    documentAt: protocol === 'https:' ? `${origin}${withBase(clientDocument)}` : null,
  }
}

export interface SignInWindow {
  readonly goTo: (address: string) => void
  readonly close: () => void
}

/**
 * Opens an empty window, which is only allowed during the click; its address is set later. Null: the browser blocked
 * it. The authorization server gets no reference to this page. Whether the window is closed is never checked, because
 * some servers cut it off.
 */
export function openSignInWindow(): SignInWindow | null {
  const opened = window.open('about:blank', '', 'popup,width=520,height=720')
  if (!opened) return null
  opened.opener = null
  return {
    goTo: (address) => opened.location.replace(address),
    close: () => opened.close(),
  }
}

/** Resolves with the parameters of the window with this state; null once the signal ends. */
export function returnedWith(state: string, signal: AbortSignal): Promise<SignInReturn | null> {
  return new Promise((resolve) => {
    const channel = openChannel(signInChannel)
    const end = (returned: SignInReturn | null) => {
      channel.close()
      resolve(returned)
    }
    if (signal.aborted) return end(null)
    signal.addEventListener('abort', () => end(null), { once: true })
    channel.onmessage = ({ data }: MessageEvent<SignInReturn>) => {
      if (data.state === state) end(data)
    }
  })
}
