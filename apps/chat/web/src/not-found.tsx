import { Link } from "./router/link.tsx";
import { PageHeader } from "./ui/page-header.tsx";

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <div className="page">
        <p>
          This page does not exist. <Link to="/">Start a new chat</Link>
        </p>
      </div>
    </>
  );
}
