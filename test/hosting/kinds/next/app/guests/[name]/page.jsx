export const dynamic = 'force-dynamic';

export default async function Guest({ params }) {
  return <p>Guest {(await params).name}</p>;
}
