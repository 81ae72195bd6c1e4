"""The nightly check of the invoice labeller, from before the team used pytest."""

import json
import unittest
from unittest.mock import Mock

from desk.labeller import Labeller, label_invoice

LABELS = {"overdue", "paid", "disputed"}


class InvoiceLabels(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.reminder = "Invoice INV-300 is 40 days late. This is our second letter."

    def setUp(self):
        self.labeller = Labeller()
        self.paid = "We thank you for the payment of INV-512."

    def label(self, text):
        return json.loads(self.labeller.label(text))

    def assertLabelled(self, text, label):
        answer = self.label(text)
        self.assertEqual(answer["label"], label)
        self.assertIn(answer["label"], LABELS)

    def test_overdue(self):
        """INC-281: overdue invoices were labelled paid."""
        self.assertLabelled(self.reminder, "overdue")

    def test_paid(self):
        # SUP-1302
        self.assertLabelled(self.paid, "paid")

    def test_each_label(self):
        table = [
            ("I never ordered the chair on INV-9.", "disputed"),
            ("INV-10 was settled on Monday.", "paid"),
        ]
        for text, label in table:
            with self.subTest(label=label):
                self.assertEqual(self.label(text)["label"], label)

    def test_amount(self):
        answer = self.label("INV-11 over 1,250.50 EUR is open since 2 May.")
        self.assertAlmostEqual(answer["amount"], 1250.50, places=2)
        self.assertNotEqual(answer["currency"], "USD")

    def test_keys(self):
        answer = self.label(self.paid)
        self.assertIn("label", answer)
        self.assertNotIn("reasoning", answer)

    def test_explanation_is_short(self):
        text = self.labeller.explain(self.reminder)
        self.assertLessEqual(len(text.split()), 25)
        self.assertFalse(text.startswith("Sure"))

    def test_explanation_names_invoice(self):
        text = self.labeller.explain(self.reminder)
        self.assertIn("INV-300", text)
        self.assertNotIn("paid", text)
        self.assertRegex(text, r"40\s+days")
        self.assertTrue(text.endswith("."))

    def test_client_called(self):
        client = Mock()
        Labeller(client).label("x")
        client.complete.assert_called_once()
        self.assertEqual(client.complete.call_count, 1)

    def test_bad_model(self):
        with self.assertRaises(ValueError):
            Labeller(model="none")

    def test_type(self):
        self.assertIsInstance(label_invoice(self.paid), str)
        self.assertIsNotNone(label_invoice(self.paid))

    def tearDown(self):
        self.labeller.close()


if __name__ == "__main__":
    unittest.main()
