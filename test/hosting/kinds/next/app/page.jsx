export default function Page() {
  return <h1>Next, built by {process.env.NEXT_PUBLIC_WHO ?? 'nobody'}</h1>;
}
