"""Tickets that several test files share."""

_HEAD = "From: {sender}\nSubject: {subject}\n\n"

SIGNATURE = """
--
Nordbolt AS. Registered in Oslo, 912 000 111.
This message is confidential and meant for its receiver alone.
"""

DOUBLE_CHARGE = (
    _HEAD.format(sender="Piet Haanstra", subject="charge CH-5530")
    + "Your system has charged me for the cable, and again for the cable (CH-5530 and "
    + "CH-5531). I have one cable. Please give one of the two back.\n"
)

LOST_PARCEL = _HEAD.format(sender="Ada Quist", subject="lost") + (
    "The parcel PX-90017 has been in 'customs' for six weeks. It was sent from Bergen, "
    "to Bergen.\n"
)
