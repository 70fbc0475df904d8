import type { Zip } from '../zip'
import { decodeXml, elementsOf, parseXml, type XmlElement } from '../xml'

/** What Office formats have in common: parts in a zip, and relation files that name them. */

export async function readXml(zip: Zip, name: string): Promise<XmlElement | null> {
  const data = await zip.read(name)
  return data === null ? null : parseXml(decodeXml(data))
}

export interface Relation {
  /** The last word of its type: `slide`, `notesSlide`. */
  readonly type: string
  /** A member's name. */
  readonly target: string
}

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1)

/** Resolves a relative name against another member's folder. */
export function resolveName(from: string, target: string): string {
  const names: string[] = []
  for (const name of (target.startsWith('/') ? target : folderOf(from) + target).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.join('/')
}

/** The relations of a part by their ids. */
export async function readRelations(zip: Zip, name: string): Promise<ReadonlyMap<string, Relation>> {
  const file = `${folderOf(name)}_rels/${name.slice(folderOf(name).length)}.rels`
  const tree = await readXml(zip, file)
  const relations = new Map<string, Relation>()
  const list = tree && elementsOf(tree).find((element) => element.name === 'Relationships')
  for (const { attributes } of list ? elementsOf(list) : []) {
    const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes
    if (id === undefined || target === undefined || mode === 'External') continue
    relations.set(id, { type: type?.slice(type.lastIndexOf('/') + 1) ?? '', target: resolveName(name, target) })
  }
  return relations
}
