export default function Guest({ params }) {
  return <p>{`Guest ${params.name}`}</p>;
}
