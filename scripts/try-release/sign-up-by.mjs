/**
 * Signs up by an invitation link, as the page does, and checks that the account is an administrator.
 * @param {string} origin @param {string} link @param {string} email
 */
export async function signUpBy(origin, link, email) {
  const address = new URL(link)
  const page = await fetch(`${origin}${address.pathname}${address.search}`)
  if (!page.ok) throw new Error(`the page of the invitation answered ${page.status}`)
  const invitation = address.searchParams.get('invitation')
  const body = JSON.stringify({ email, password: 'correct horse battery', name: '', invitation })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/api/account/sign-up`, { method: 'POST', headers, body })
  const said = await answer.text()
  if (!answer.ok || JSON.parse(said).account.role !== 'admin')
    throw new Error(`signing up was answered with ${answer.status}: ${said}`)
}
