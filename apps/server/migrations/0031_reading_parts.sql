ALTER TABLE "entries" ADD COLUMN "traits_hash" text;--> statement-breakpoint
ALTER TABLE "integrity_readings" ADD COLUMN "next_part" integer;--> statement-breakpoint
ALTER TABLE "integrity_readings" ADD COLUMN "carry" text;