/** What the script does in one turn: parts in order, then how it ends. */
export interface DemoReply {
  readonly parts: readonly DemoPart[]
  readonly ending: DemoEnding
  /** Spread the parts over this time instead of the usual pace. */
  readonly durationMs?: number
}

interface DemoPart {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

type DemoEnding =
  | { readonly kind: 'stop' }
  /** As if the model had reached its output limit. */
  | { readonly kind: 'length' }
  /** As a provider would fail: before the first word when there are no parts, else in the middle. */
  | { readonly kind: 'failure'; readonly status: number }
  /** Nothing more comes, and the stream stays open until somebody gives up. */
  | { readonly kind: 'stall' }

export const text = (...paragraphs: readonly string[]): DemoReply => ({
  parts: [{ kind: 'text', text: paragraphs.join('\n\n') }],
  ending: { kind: 'stop' },
})
