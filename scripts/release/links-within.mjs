import path from 'node:path'

/**
 * A page as shipped without the rest of the repository: a link to a file that is not shipped becomes its text with the
 * file's name. Links to other hosts, and within the page, stay.
 * @param {string} text
 * @param {string} page its path in the repository
 * @param {readonly string[]} shipped paths of everything that is shipped
 */
export function linksWithin(text, page, shipped) {
  return text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, picture, words, target) => {
    if (/^(?:[a-z]+:|#)/i.test(target)) return whole
    const [file = ''] = target.split('#')
    const found = path.posix.normalize(path.posix.join(path.posix.dirname(page), file))
    if (shipped.includes(found)) return whole
    if (picture === '!') return words
    return words.replaceAll('`', '') === found ? words : `${words} (\`${found}\` in the repository)`
  })
}
