import { Form, useActionData } from 'react-router';

export async function action({ request }) {
  return { name: (await request.formData()).get('name') };
}

export default function Home() {
  const answer = useActionData();
  return (
    <Form method="post">
      <input name="name" />
      <p>{`Hello ${answer?.name ?? 'nobody'}`}</p>
    </Form>
  );
}
