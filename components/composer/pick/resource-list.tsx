'use client'

import { asUntrusted, unmarked } from '@/lib/base/untrusted-text/foreign'
import { foldText } from '@/lib/client/commands/rank-entries'
import { expandTemplate, templateVariables, type OfferedResource } from '@/lib/shared/mcp/offers'
import { t } from '@/lib/i18n/t'
import { Options, type PickEntry } from './options'
import { fileOfPiece, type PickListProps } from './pick-list'
import { useOffers, type OfferingServer } from './use-offers'

/**
 * Resources of tool servers as attachments. A server is asked when it is picked, and a resource is read when it is
 * picked.
 */
export function ResourceList({ trigger, insert, fill, say, attach, ...shown }: PickListProps) {
  const offers = useOffers('resources')

  const read = async ({ server }: OfferingServer, uri: string, title: string) => {
    const offer = await offers.ask(server, { ask: 'resource', uri })
    if (!offer) return
    const files = offer.pieces.flatMap((piece, at) => fileOfPiece(piece, at === 0 ? title : `${title}-${at + 1}`) ?? [])
    insert('')
    if (files.length > 0) attach(files)
    else say(t('pick.empty-resource', { name: asUntrusted(title) }))
  }
  const pick = (one: OfferingServer, { uri, isTemplate, title }: OfferedResource) => {
    const names = isTemplate ? (templateVariables(uri) ?? []) : []
    if (names.length === 0) return void read(one, uri, title)
    fill({
      title,
      fields: names.map((name) => ({ name, about: '', required: true })),
      onDone: (values) => void read(one, expandTemplate(uri, values), title),
    })
  }

  const entries: readonly PickEntry[] = offers.servers.flatMap((one): readonly PickEntry[] => {
    const { server, listed } = one
    if (listed === null) {
      const label = t('pick.resources-of', { name: asUntrusted(server.name) })
      const ask = () => void offers.ask(server, { ask: 'resources' })
      const [text, also] = [foldText(server.name), '']
      return [{ group: 'servers', id: server.id, label, beside: '', isForeign: false, text, also, pick: ask }]
    }
    return listed.resources
      .filter(({ uri, isTemplate }) => !isTemplate || templateVariables(uri) !== null)
      .map((resource) => ({
        group: server.id,
        id: `${server.id} ${resource.uri}`,
        label: resource.title,
        beside: besideOf(resource),
        isForeign: true,
        text: foldText(resource.title),
        also: foldText(`${resource.uri} ${resource.about} ${server.name}`),
        pick: () => pick(one, resource),
      }))
  })
  return (
    <Options
      {...shown}
      label={t('pick.resources')}
      query={trigger.query}
      entries={entries}
      groups={offers.groups}
      note={offers.note}
    />
  )
}

const besideOf = ({ size, uri }: OfferedResource): string =>
  size === null ? uri : unmarked(t('pick.size', { size, uri: asUntrusted(uri) }))
